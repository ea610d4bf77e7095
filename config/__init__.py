"""The project: settings, servers and the environment. Every process imports it before the libraries that it limits."""

from config.native_threads import limit_native_threads

limit_native_threads()
