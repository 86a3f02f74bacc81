package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomMemory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All that one room address has in memory; the room itself may not exist. Touched in the address's
/// mailbox only, but for what says otherwise.
public final class RoomHome {
  private static final int MOST_PICTURES = 16;

  private final Jid jid;
  private final JoinBudgets joins = new JoinBudgets();
  private final Applicants applicants = new Applicants();
  private final RoomMemory memory;
  private final Relays relays;
  private final boolean refused;
  private boolean mustErase;
  private @Nullable List<String> pictures;
  private Instant usedAt;

  // For those who ask from outside whether a stanza takes long.
  private volatile @Nullable LiveRoom live;
  private volatile int size;

  RoomHome(Jid jid, @Nullable LiveRoom live, RoomMemory memory, Instant now) {
    this(jid, live, memory, false, now);
  }

  private RoomHome(
      Jid jid, @Nullable LiveRoom live, RoomMemory memory, boolean refused, Instant now) {
    this.jid = jid;
    this.memory = memory;
    this.relays = new Relays(memory);
    this.refused = refused;
    this.usedAt = now;
    live(live);
  }

  /// The home of a room that exists, and for which there is no memory now.
  static RoomHome refused(Jid jid, RoomMemory memory, Instant now) {
    return new RoomHome(jid, null, memory, true, now);
  }

  /// A room with what goes with it.
  ///
  /// @param room the room
  /// @param history its last messages
  /// @param ids makes occupant ids
  /// @param cost what its state is charged with, and to whom: to its creator
  /// @param slot its place among the creator's rooms that are not stored; null if the store has it
  public record LiveRoom(
      Room room,
      RoomHistory history,
      OccupantIds ids,
      RoomMemory.Charge cost,
      RoomCounts.@Nullable Slot slot) {
    LiveRoom asStored() {
      return new LiveRoom(room, history, ids, cost, null);
    }

    /// Whether the store has it.
    public boolean stored() {
      return slot == null;
    }

    /// It is no longer in memory.
    public void end() {
      history.clear();
      cost.end();
      if (slot != null) {
        slot.end();
      }
    }
  }

  public Jid jid() {
    return jid;
  }

  /// Whether the room exists, but there is no memory for it.
  public boolean isRefused() {
    return refused;
  }

  /// What all rooms share.
  public RoomMemory memory() {
    return memory;
  }

  /// The room, or null if there is none; any thread may ask.
  public @Nullable LiveRoom live() {
    return live;
  }

  /// The room comes into being, or is no more.
  public void live(@Nullable LiveRoom newLive) {
    LiveRoom old = live;
    live = newLive;
    if (newLive == null) {
      pictures = null;
      if (old != null) {
        old.end();
      }
    }
    changed();
  }

  /// Whether the store still has a room that has ended at this address.
  public boolean mustErase() {
    return mustErase;
  }

  public void mustErase(boolean inStore) {
    mustErase = inStore;
  }

  /// How often each user enters.
  public JoinBudgets joins() {
    return joins;
  }

  /// Who has asked to become a member.
  public Applicants applicants() {
    return applicants;
  }

  /// What has been passed on and is not answered yet.
  public Relays relays() {
    return relays;
  }

  /// The hashes of the room's pictures (XEP-0486); null if nobody has looked yet.
  public @Nullable List<String> pictures() {
    return pictures;
  }

  public void pictures(@Nullable List<String> hashes) {
    pictures =
        hashes == null || hashes.size() <= MOST_PICTURES
            ? hashes
            : List.copyOf(hashes.subList(0, MOST_PICTURES));
  }

  /// Someone has asked for it.
  public void used(Instant now) {
    usedAt = now;
  }

  public Instant usedAt() {
    return usedAt;
  }

  /// It is no longer in memory.
  public void end() {
    live(null);
    relays.end();
  }

  /// The number of sessions in it has changed.
  public void changed() {
    LiveRoom now = live;
    size = now == null ? 0 : now.room().size();
  }

  /// The sessions in it. Any thread.
  public int size() {
    return size;
  }
}
