package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.store.StanzaIds;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/// Ids of messages that are no numbers: the entry's id in base 36 behind a word.
public final class TestStanzaIds implements StanzaIds {
  private static final String WORD = "sid-";

  @Override
  public String encode(long id) {
    return WORD + Long.toString(id, Character.MAX_RADIX);
  }

  @Override
  public OptionalLong decode(String text) {
    boolean own = text.startsWith(WORD);
    if (!own && !text.matches("[1-9][0-9]*")) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          own
              ? Long.parseLong(text.substring(WORD.length()), Character.MAX_RADIX)
              : Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public byte[] element(Jid by, long id) {
    String text = "<stanza-id xmlns='urn:xmpp:sid:0' by='" + by + "' id='" + encode(id) + "'/>";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
