"""Collections over HTTP: JSON at `/api/…`, and pages for people. Thin over `answers`; see docs/serve.md."""
