package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import im.zonda.xml.Element;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The rooms of a host, for exports and removals. Calls block.
public interface RoomArchives {
  /// What becomes of the messages that a person has written.
  enum Written {
    /// They stay.
    KEEP,
    /// They stay, and nothing in them says who has written them. A query of the archive for the
    /// nickname that their author had still finds them.
    ANONYMISE,
    /// Only the place of each stays (XEP-0424).
    ERASE
  }

  /// The domain of the rooms; null if there is no room service.
  @Nullable Jid service();

  /// Changes the messages of a user in the archives of all rooms.
  ///
  /// @param before only messages with lower ids
  /// @param change whether they are changed; otherwise they are only counted
  /// @param looked gets the number of rooms that were looked at
  /// @return how many messages
  long rewrite(Jid user, Written written, long before, boolean change, LongConsumer looked)
      throws InterruptedException;

  /// The configuration of a stored room as a submitted form (XEP-0045, section 10.2).
  Element configuration(RoomStore.Room room);
}
