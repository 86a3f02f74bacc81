package im.zonda.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// The body of a response.
public sealed interface HttpContent {
  /// Some bytes, which are not copied and must not be changed.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte[] bytes) implements HttpContent {}

  /// A part of a file, which is opened when the response is written; if that fails the response is
  /// 404.
  ///
  /// @param offset the first byte
  /// @param length how many bytes
  record FilePart(Path path, long offset, long length) implements HttpContent {}

  /// Bytes that are written as they become known.
  ///
  /// @param length how many bytes will be written; -1 if that is not known
  record Streamed(long length, Writer writer) implements HttpContent {}

  /// A response that waits for an event, for which no thread waits: it is the one that `source`
  /// gives, with the header fields besides of the one that has this content, whose status does not
  /// count.
  record Later(Source source) implements HttpContent {}

  /// Gives a response when there is one.
  @FunctionalInterface
  interface Source {
    /// Calls `answer` once, now or later and on any thread, which it does not block; in any case,
    /// unless this throws. The response has another content than [Later].
    void whenKnown(Consumer<HttpResponse> answer);
  }

  /// Writes a body. Called on a virtual thread.
  @FunctionalInterface
  interface Writer {
    /// Writes all of the body.
    ///
    /// @throws IOException if the client is gone or too slow; the connection is closed
    void writeTo(Output output) throws IOException;
  }

  /// Where a body goes.
  interface Output {
    /// Writes bytes; waits until the network has taken them.
    ///
    /// @throws IOException if the client is gone or too slow
    void write(byte[] source, int offset, int length) throws IOException;
  }
}
