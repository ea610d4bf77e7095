"""The project: settings, servers and the environment. Every process imports it before the libraries that it limits."""

from config.native_libraries import limit_native_threads

limit_native_threads()
