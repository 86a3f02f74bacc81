package im.zonda.net.bosh;

import im.zonda.http.HttpBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// The body of a request, which keeps what has been read of it until it is known that no other node
/// needs it. For one thread.
final class RecordedBody implements HttpBody {
  private final HttpBody body;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private boolean keeps = true;

  RecordedBody(HttpBody body) {
    this.body = body;
  }

  /// Discards the body, and keeps no more of it.
  void forget() {
    keeps = false;
    read.reset();
  }

  /// What has been read.
  byte[] bytes() {
    return read.toByteArray();
  }

  @Override
  public long length() {
    return body.length();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int more = body.read(target, offset, length);
    if (keeps && more > 0) {
      read.write(target, offset, more);
    }
    return more;
  }
}
