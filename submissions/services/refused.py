"""What a service says when it cannot do what was asked."""


class Refused(Exception):
    """Something that is not possible now, in words for the person who asked.

    Attributes:
        code: stable short name.
        rule: what is allowed, in a sentence.
        cure: what to do, in a sentence.
    """

    def __init__(self, code: str, rule: str, cure: str) -> None:
        super().__init__(f"{rule} {cure}")
        self.code, self.rule, self.cure = code, rule, cure
