from tests.whole import whole

__all__ = ["whole"]
