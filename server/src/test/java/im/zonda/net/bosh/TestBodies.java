package im.zonda.net.bosh;

import im.zonda.http.HttpBody;
import im.zonda.stream.InputLimits;
import im.zonda.xml.XmlLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Bodies of requests from text.
final class TestBodies {
  static final InputLimits STRANGER = new InputLimits(XmlLimits.BEFORE_AUTHENTICATION, 16_384);

  private TestBodies() {}

  /// A body as HTTP gives it, a few bytes at a time.
  static HttpBody body(String text) {
    return body(text.getBytes(StandardCharsets.ISO_8859_1), 100);
  }

  /// A body as HTTP gives it, at most `size` bytes at a time.
  static HttpBody body(byte[] data, int size) {
    ByteArrayInputStream bytes = new ByteArrayInputStream(data);
    return new HttpBody() {
      @Override
      public long length() {
        return -1;
      }

      @Override
      public int read(byte[] target, int offset, int length) {
        return bytes.read(target, offset, Math.min(length, size));
      }
    };
  }

  /// A request with these attributes and payloads.
  static BoshRequest request(String attributes, String payloads) throws BoshException {
    try {
      return new BodyReader(STRANGER, _ -> STRANGER)
          .read(
              body(
                  "<body xmlns='http://jabber.org/protocol/httpbind' xmlns:xmpp='urn:xmpp:xbosh' "
                      + attributes
                      + ">"
                      + payloads
                      + "</body>"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
