"""The OpenAPI document at `/openapi.json`, and the plain page at `/docs` that is made from it."""

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import HTMLResponse

from pagekin.serve.pages import render


def install(app: FastAPI, root_path: str) -> None:
    """Describe the app as it answers: a wrong parameter is a 400, not FastAPI's 422."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = described(app, root_path)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def described(app: FastAPI, root_path: str) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
        servers=[{"url": root_path}] if root_path else None,
    )
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    return document


def docs_router(app: FastAPI) -> APIRouter:
    """`/docs`: what can be asked, with which parameters, and what the answers are."""
    router = APIRouter(include_in_schema=False)

    @router.get("/docs")
    async def docs(request: Request) -> HTMLResponse:
        document = app.openapi()
        questions = [
            {
                "path": path,
                "summary": operation["summary"],
                "parameters": [_parameter(each) for each in operation.get("parameters", [])],
                "statuses": {code: each["description"] for code, each in sorted(operation["responses"].items())},
            }
            for path, operations in document["paths"].items()
            for operation in operations.values()
        ]
        return render(request, "docs.html", title=document["info"]["title"], questions=questions)

    return router


def _parameter(described: dict[str, Any]) -> dict[str, str]:
    """A parameter in words."""
    schema = described["schema"]
    kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    kind = kinds[0].get("items", kinds[0])
    bounds = [
        f"{word} {kind[name]}"
        for name, word in (("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most"))
        if name in kind
    ]
    named = " | ".join(kind["enum"]) if "enum" in kind else kind.get("type", "")
    many = ", may be given several times" if kinds[0].get("type") == "array" else ""
    default = schema.get("default")
    return {
        "name": described["name"],
        "what": described.get("description") or schema.get("description", ""),
        "type": ", ".join([named, *bounds]) + many,
        "default": "required" if described.get("required") else "" if default in (None, []) else str(default),
    }
