package im.zonda.module.muc;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All that one room address has in memory; the room itself may not exist. Touched in the address's
/// mailbox only, but for what says otherwise.
final class RoomHome {
  private final Jid jid;
  private final JoinBudgets joins = new JoinBudgets();
  private final Applicants applicants = new Applicants();
  private final Relays relays = new Relays();
  private @Nullable LiveRoom live;
  private boolean mustErase;
  private @Nullable List<String> pictures;
  private Instant usedAt;

  /// For those who ask from outside whether a stanza takes long.
  private volatile int size;

  RoomHome(Jid jid, @Nullable LiveRoom live, Instant now) {
    this.jid = jid;
    this.usedAt = now;
    live(live);
  }

  /// A room with what goes with it.
  ///
  /// @param room the room
  /// @param history its last messages
  /// @param ids makes occupant ids
  /// @param stored whether the store has it
  record LiveRoom(Room room, RoomHistory history, OccupantIds ids, boolean stored) {
    LiveRoom asStored() {
      return new LiveRoom(room, history, ids, true);
    }
  }

  Jid jid() {
    return jid;
  }

  /// The room, or null if there is none.
  @Nullable LiveRoom live() {
    return live;
  }

  /// The room comes into being, or is no more.
  void live(@Nullable LiveRoom newLive) {
    live = newLive;
    if (newLive == null) {
      pictures = null;
    }
    changed();
  }

  /// Whether the store still has a room that has ended at this address.
  boolean mustErase() {
    return mustErase;
  }

  void mustErase(boolean inStore) {
    mustErase = inStore;
  }

  /// How often each user enters.
  JoinBudgets joins() {
    return joins;
  }

  /// Who has asked to become a member.
  Applicants applicants() {
    return applicants;
  }

  /// What has been passed on and is not answered yet.
  Relays relays() {
    return relays;
  }

  /// The hashes of the room's pictures (XEP-0486); null if nobody has looked yet.
  @Nullable List<String> pictures() {
    return pictures;
  }

  void pictures(@Nullable List<String> hashes) {
    pictures = hashes;
  }

  /// Someone has asked for it.
  void used(Instant now) {
    usedAt = now;
  }

  Instant usedAt() {
    return usedAt;
  }

  /// The number of sessions in it has changed.
  void changed() {
    LiveRoom now = live;
    size = now == null ? 0 : now.room().size();
  }

  /// The sessions in it. Any thread.
  int size() {
    return size;
  }
}
