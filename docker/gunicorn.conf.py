"""How gunicorn serves the site; every value can be changed with GUNICORN_CMD_ARGS."""

bind = "0.0.0.0:8000"
workers = 3
# Uploads are slow and mostly waiting, so each worker serves several at once.
worker_class = "gthread"
threads = 8
# Seconds without a sign of life; an upload of one part may take long over a poor line.
timeout = 300
graceful_timeout = 60
accesslog = "-"
# The heartbeat file belongs into memory, where a busy disk cannot hold it up.
worker_tmp_dir = "/dev/shm"  # noqa: S108 - only the heartbeat, which gunicorn unlinks
