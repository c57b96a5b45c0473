"""Settings of the site; every value that differs between machines comes from the environment."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from leaderboard import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

SITE_NAME = env.text("SITE_NAME", "Full-Duplex Leaderboard")
# Whom readers write to: an e-mail address or the address of a page. Splits may name their own.
CONTACT = env.text("CONTACT", "")
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
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
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
    "allauth.account.middleware.AccountMiddleware",
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
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "my"
MESSAGE_TAGS = {25: "good", 30: "warning", 40: "error"}  # the page's words for Django's levels
LOGOUT_REDIRECT_URL = "home"

# Accounts: everybody signs up with a verified address; log-in by name or address.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_SESSION_REMEMBER = True
# Who opens the link in the browser that signed up goes on where it was, say at an invitation.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_FORMS = {
    "login": "submissions.forms.log_in.LogInForm",
    "signup": "submissions.forms.log_in.SignUpForm",
    "add_email": "submissions.forms.log_in.AddressForm",
    "reset_password": "submissions.forms.log_in.ResetForm",
    "reset_password_from_key": "submissions.forms.log_in.NewPasswordForm",
    "change_password": "submissions.forms.log_in.ChangePasswordForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = SITE_NAME
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute off
# Log-in through others appears when their keys are set.
LOGIN_HOSTS = {"github": "github.com", "orcid": "orcid.org"}
LOGIN_PROVIDERS = {"github": {"SCOPE": ["user:email"]}, "orcid": {}}
SOCIALACCOUNT_PROVIDERS = {
    name: {**options, "APP": env.client(name)}
    for name, options in LOGIN_PROVIDERS.items()
    if env.client(name)
}
INSTALLED_APPS += [f"allauth.socialaccount.providers.{name}" for name in SOCIALACCOUNT_PROVIDERS]
SOCIALACCOUNT_ADAPTER = "submissions.others.OtherSites"
# Addresses that a proxy of ours has written down; without one, rate limits count the connection.
ALLAUTH_TRUSTED_PROXY_COUNT = env.whole("TRUSTED_PROXIES", 0)

# Mail: a folder that anybody can look into by default; a server by EMAIL_HOST.
SITE_URL = env.text("SITE_URL", "http://localhost:8000").rstrip("/")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("DEFAULT_FROM_EMAIL", "leaderboard@localhost")
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_PORT = env.whole("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.secret("EMAIL_PASSWORD")
EMAIL_SECURITY = env.choice("EMAIL_SECURITY", "starttls", ("starttls", "tls", "none"))
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 30

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
# Resumable uploads grow here: on the disk of MEDIA_ROOT, so that a finished one is only renamed.
PARTIAL_DIR = FILE_UPLOAD_TEMP_DIR / "partial"
UPLOAD_KEEP_DAYS = env.whole("UPLOAD_KEEP_DAYS", 7)
# Unfinished uploads that one person may have at a time.
UPLOADS_AT_ONCE = env.whole("UPLOADS_AT_ONCE", 10)
TRIALS_PER_DAY = env.whole("TRIALS_PER_DAY", 10)
MAX_ARCHIVE_BYTES = env.whole("MAX_ARCHIVE_GIB", 20) * 2**30
# Sounds and waveforms of the item pages that are kept; the least recently used go first.
SOUND_CACHE_MIB = env.whole("SOUND_CACHE_MIB", 1024)
# Font with Chinese for the cards of boards; empty takes Noto Sans CJK of the system if it is there.
CARD_FONT = env.text("CARD_FONT")

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
        # A log-in through others begins with a form of ours and goes on at theirs.
        "form-action": [
            SELF,
            *(f"https://{LOGIN_HOSTS[name]}" for name in SOCIALACCOUNT_PROVIDERS),
        ],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.flag("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SESSION_COOKIE_SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None

# Finished pages of frozen boards stay in the memory of each process; any of them can be made again.
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}
# Seconds for which a page's process takes a board for the newest without asking the database.
BOARD_TRUSTED = 1

# Queue: a folder by default; Redis or RabbitMQ by BROKER_URL.
CELERY_BROKER_URL = env.secret("BROKER_URL", "filesystem://")
if CELERY_BROKER_URL.startswith("redis"):
    # Rate limits of log-ins are counted together by all processes.
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CELERY_BROKER_URL,
    }
BROKER_DIR = DATA_DIR / "broker"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "submissions.tasks.sweep", "schedule": 15.0},
    "remind": {"task": "submissions.tasks.remind", "schedule": 900.0},
}
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
