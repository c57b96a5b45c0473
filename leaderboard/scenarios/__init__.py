"""The pages of scenarios: numbers, figures, words and exports."""
