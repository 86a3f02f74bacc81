/// The contracts for modules that serve HTTP: routes, requests and responses. Contracts only; the
/// server is `im.zonda.net.http`.
///
/// *A route* joins a path, methods and a handler. A module declares its routes in
/// [im.zonda.module.XmppModule#install]; they are served for its virtual host until the module is
/// stopped or the host is removed:
///
/// ```java
/// context.onHttp(HttpRoute.exact("/hello", HttpMethod.GET, request ->
///     HttpResponse.text(200, "Hello " + request.remoteAddress().getHostAddress())));
/// ```
///
/// `exact` is for one path, `below` for all paths under a folder (`below("/files/", …)` also gets
/// `/files/a/b`). The longest path wins. `HEAD` is answered from `GET`, `OPTIONS` from the routes
/// of the path; unknown paths and methods get 404 and 405. Paths arrive decoded and without `.`,
/// `..`, empty segments, backslashes or control characters: others have been rejected with 400. No
/// module needs to check them again before it looks up a name, but file names should be looked up,
/// not opened.
///
/// *The host* of a request is the virtual host whose domain, or whose host name in `http.url`, the
/// client has asked for; addresses of machines and `localhost` mean the first host. Other names get
/// 421. The URL of a path, as clients see it, is `context.config().http().url(domain) + path`.
///
/// *Threads.* A handler runs on a virtual thread and may block: read files, ask stores, wait. Each
/// connection by HTTP/1.1, and each stream of HTTP/2, has one request at a time.
///
/// *Bodies* are streamed, with back-pressure: [im.zonda.http.HttpBody#read] waits for bytes and the
/// network is read only as fast as the handler reads. A form or a small text is collected up to a
/// limit; more gets 413:
///
/// ```java
/// byte[] form = request.body().collect(4_096);
///
/// try (OutputStream file = …) {            // a file of any size, in 16 KiB of memory
///   byte[] part = new byte[16_384];
///   for (int n = request.body().read(part, 0, part.length); n >= 0; n = …) {
///     file.write(part, 0, n);
///   }
/// }
/// ```
///
/// [im.zonda.http.HttpBody#length] is what `Content-Length` has announced, or -1; a body never
/// yields more than that. A client that goes away, or sends less than 1 KiB/s, ends `read` with an
/// [java.io.IOException]; a handler lets it pass and releases what it has written. What a handler
/// has not read when it returns is discarded, up to 64 KiB; then the connection is closed.
///
/// *Responses* are bytes, a part of a file, or written as a stream, all with back-pressure:
///
/// ```java
/// HttpResponse.bytes(200, "image/png", bytes).with("Cache-Control", "max-age=600");
/// HttpResponse.file(200, "video/mp4", path, offset, length);      // ranges are the handler's
/// HttpResponse.stream(200, "text/plain", -1, out -> out.write(part, 0, n));   // -1: chunked
/// ```
///
/// Each response gets `X-Content-Type-Options`, `X-Frame-Options`, `Referrer-Policy` and a
/// `Content-Security-Policy` that allows nothing, unless the handler has set the same header. A
/// page says what it needs: `.with("Content-Security-Policy", "default-src 'self'")`.
///
/// *Other origins* (CORS): `route.crossOrigin()` lets scripts of the origins in `http.origins`, or
/// of those that the host has of its own, use the route, and the server answers their preflight
/// requests.
///
/// *Errors.* [im.zonda.http.HttpException] thrown by a handler becomes the response; anything else
/// becomes 500 and is logged.
@NullMarked
package im.zonda.http;

import org.jspecify.annotations.NullMarked;
