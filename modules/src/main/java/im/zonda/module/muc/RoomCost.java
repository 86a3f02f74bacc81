package im.zonda.module.muc;

import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// About how many bytes of memory a room's own state takes.
final class RoomCost {
  /// A room of which nothing is known but its address: its home, mailbox and maps.
  private static final int ROOM = 4_096;

  /// An affiliation besides its texts: an address and the entries of two maps.
  static final int AFFILIATION = 256;

  /// A character of a text; not all texts are in Latin letters.
  static final int CHAR = 2;

  /// A short text besides its characters.
  private static final int TEXT = 64;

  private RoomCost() {}

  /// Charges the room's creator for the room as it would be; false, and nothing has changed, if the
  /// creator may not use so much more.
  static boolean charge(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    Room room = live.room();
    return live.cost().resize(of(config, subject, room.affiliations().cost(changes), room.hats()));
  }

  /// The same for other hats.
  static boolean charge(LiveRoom live, Hats hats) {
    Room room = live.room();
    return live.cost()
        .resize(of(room.config(), room.subject(), room.affiliations().cost(List.of()), hats));
  }

  private static long of(
      RoomConfig config, @Nullable Subject subject, long affiliations, Hats hats) {
    long bytes = ROOM + affiliations + hats.cost();
    bytes += text(config.name()) + text(config.description()) + text(config.lang());
    bytes += text(config.password());
    for (String contact : config.contacts()) {
      bytes += text(contact);
    }
    return bytes + (subject == null ? 0 : subject.message().writtenSize());
  }

  /// The room's creator uses all the memory that it may (RFC 6120, section 8.3.3.18).
  static StanzaError tooMuch() {
    return StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
        .withText("the room's creator uses too much memory in rooms");
  }

  /// A text that is kept.
  static long text(@Nullable String text) {
    return text == null ? 0 : TEXT + (long) CHAR * text.length();
  }
}
