"""Settings of the site; every value that differs between machines comes from the environment."""

from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from leaderboard import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

SITE_NAME = env.text("SITE_NAME", "Full-Duplex Leaderboard")
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY") or env.own_key(DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", "")

INSTALLED_APPS = [
    "leaderboard",
    "submissions",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "leaderboard.context.site",
            ]
        },
    }
]

# SQLite in one folder by default; PostgreSQL by DATABASE_URL.
DATABASES = {
    "default": dj_database_url.parse(
        env.secret("DATABASE_URL", f"sqlite:///{DATA_DIR / 'leaderboard.sqlite3'}"),
        conn_max_age=60,
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Write locks are taken at once and waited for, so that web and workers can share the file.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 30,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "my"
LOGOUT_REDIRECT_URL = "home"

# Django's own name for Chinese is zh-hans; addresses say /zh/ (leaderboard/prefix.py).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "中文")]
LOCALE_PATHS = [BASE_DIR / "leaderboard" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
MEDIA_URL = "/media/"  # never routed: files leave through views that ask who may see them
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20
FILE_UPLOAD_TEMP_DIR = DATA_DIR / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(exist_ok=True)
MAX_ARCHIVE_BYTES = env.whole("MAX_ARCHIVE_GIB", 20) * 2**30

# No inline script or style anywhere; the admin of Django works under this policy too.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.flag("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SESSION_COOKIE_SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None

# Queue: a folder by default; Redis or RabbitMQ by BROKER_URL.
CELERY_BROKER_URL = env.secret("BROKER_URL", "filesystem://")
BROKER_DIR = DATA_DIR / "broker"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "submissions.tasks.sweep", "schedule": 15.0}}
if CELERY_BROKER_URL.startswith("filesystem"):
    # The folder needs no host, but without one the client warns at every connection.
    CELERY_BROKER_URL = "filesystem://localhost//"
    for _folder in ("queue", "control", "processed"):
        (BROKER_DIR / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "processed_folder": str(BROKER_DIR / "processed"),
        "polling_interval": 0.05,
    }
elif CELERY_BROKER_URL.startswith("redis"):
    # A task longer than the visibility timeout would be delivered twice.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3600,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
    }

# Engines, by name; see README for what each needs.
ENGINES: dict[str, str] = {
    "asr_cn": env.text("ASR_CN", "whisper-base-cn"),
    "asr_en": env.text("ASR_EN", "whisper-tiny-en"),
    "judge": env.text("JUDGE", "offline"),
    "models": env.text("MODELS_DIR"),
    "device": env.text("DEVICE", "cpu"),
}
THREADS = env.whole("THREADS", 1)
JUDGE = {
    "base_url": env.text("JUDGE_BASE_URL", "https://api.deepseek.com"),
    "model": env.text("JUDGE_MODEL", "deepseek-chat"),
    "mode": env.text("JUDGE_MODE", "official"),
    "api_key": env.secret("JUDGE_API_KEY"),
    "concurrency": env.whole("JUDGE_CONCURRENCY", 64),
    "timeout": env.whole("JUDGE_TIMEOUT", 60),
    "price_in": env.text("JUDGE_PRICE_IN"),
    "price_out": env.text("JUDGE_PRICE_OUT"),
    "budget": env.text("JUDGE_BUDGET"),
}
# Items that one task takes to the judge: several times the calls at once, so that the slow last
# replies of a chunk cost little. Each verdict is written when it comes.
JUDGE_CHUNK = env.whole("JUDGE_CHUNK", 512)
# Items that one task scores; how many tasks of one run may be under way at once.
SCORING_CHUNK = env.whole("SCORING_CHUNK", 16)
SCORING_PARALLEL = env.whole("SCORING_PARALLEL", 2)
# After so long without a sign of life a claim is taken over, seconds.
CLAIM_LEASE = env.whole("CLAIM_LEASE", 600)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO")},
    # The judge's client would write a line for every call.
    "loggers": {"httpx2": {"level": "WARNING"}},
}
