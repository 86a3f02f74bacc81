package im.zonda.home.account;

import im.zonda.jid.Jid;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;

/// The `<stanza-id/>` of a message (XEP-0359), as bytes: every message that is kept gets one.
final class StanzaIds {
  static final QName NAME = new QName("urn:xmpp:sid:0", "stanza-id");

  private static final byte[] HEAD = ascii("<stanza-id xmlns='urn:xmpp:sid:0' by='");
  private static final byte[] MIDDLE = ascii("' id='");
  private static final byte[] END = ascii("'/>");

  private StanzaIds() {}

  /// The element for the account `by`, a bare address: those hold nothing that XML would have
  /// escaped (RFC 7622, section 3.3.1).
  static byte[] write(Jid by, long id) {
    byte[] address = by.utf8();
    byte[] digits = ascii(Long.toString(id));
    byte[] all =
        new byte[HEAD.length + address.length + MIDDLE.length + digits.length + END.length];
    int at = put(HEAD, all, 0);
    at = put(address, all, at);
    at = put(MIDDLE, all, at);
    at = put(digits, all, at);
    put(END, all, at);
    return all;
  }

  private static int put(byte[] part, byte[] all, int at) {
    System.arraycopy(part, 0, all, at, part.length);
    return at + part.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
