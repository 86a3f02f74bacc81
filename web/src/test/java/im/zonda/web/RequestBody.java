package im.zonda.web;

import im.zonda.http.HttpBody;

/// The body of a request, which is in memory.
public final class RequestBody implements HttpBody {
  private final byte[] bytes;
  private int done;

  /// @param bytes the content
  public RequestBody(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public long length() {
    return bytes.length;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    int count = Math.min(length, bytes.length - done);
    System.arraycopy(bytes, done, target, offset, count);
    done += count;
    return count == 0 ? -1 : count;
  }
}
