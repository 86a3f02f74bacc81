package im.zonda.net.bosh;

import im.zonda.http.HttpBody;
import java.io.ByteArrayInputStream;

/// The body of a request that another node has read. For one thread.
final class BytesBody implements HttpBody {
  private final int length;
  private final ByteArrayInputStream bytes;

  BytesBody(byte[] all) {
    this.length = all.length;
    this.bytes = new ByteArrayInputStream(all);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(byte[] target, int offset, int most) {
    return bytes.read(target, offset, most);
  }
}
