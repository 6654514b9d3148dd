"""Schemathesis asks what nobody would: no answer is a 5xx, and every answer has the shape that is promised."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from pagekin.serve.api import ROUTES
from pagekin.serve.app import create_app
from pagekin.serve.settings import Settings
from tests.serve.blog import PAGE
from tests.serve.test_api import QUESTIONS

EXAMPLES = 15  # for each route; `make properties` asks for more
CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]


@pytest.fixture(scope="module")
def document(blog):
    return schemathesis.openapi.from_asgi(
        "/openapi.json", create_app(Settings({"blog": str(blog)}, hosts=("testserver",)))
    )


@pytest.mark.parametrize("verb", ROUTES)
@pytest.mark.parametrize("asks", ["well", "badly"])
def test_no_question_fails_and_every_answer_has_its_shape(document, verb, asks):
    mode = GenerationMode.POSITIVE if asks == "well" else GenerationMode.NEGATIVE
    if verb == "info" and asks == "badly":
        pytest.skip("it has no parameters")

    @given(case=document[f"/api/{verb}"]["GET"].as_strategy(generation_mode=mode), known=st.booleans())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def ask(case, known):
        if known and "url" in case.query:  # random addresses are in no collection
            case.query["url"] = PAGE
        case.call_and_validate(checks=CHECKS)

    ask()


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answers_to_good_questions_have_their_shape(ask, name):
    verb, parameters, _ = QUESTIONS[name]
    ROUTES[verb][1].model_validate(ask.get(f"/api/{verb}", params=parameters).json())


@pytest.mark.parametrize(
    ("verb", "parameters"),
    [("map", {"url": PAGE}), ("page", {"url": PAGE}), ("suggest", {"prefix": "b"})],
)
def test_so_have_those_that_the_shell_does_not_give(ask, verb, parameters):
    ROUTES[verb][1].model_validate(ask.get(f"/api/{verb}", params=parameters).json())


def test_only_what_is_answered_is_documented(ask):
    paths = ask.get("/openapi.json").json()["paths"]
    assert {path.removeprefix("/api/") for path in paths} == set(ROUTES)
    assert all("422" not in operations["get"]["responses"] for operations in paths.values())
