package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomMemory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state in memory of one room address; the room itself may not exist. Confined to the mailbox
/// of the address unless stated otherwise.
public final class RoomHome {
  private static final int MAX_AVATARS = 16;

  private final Jid jid;
  private final JoinRates joins = new JoinRates();
  private final PendingRegistrations pendingRegistrations = new PendingRegistrations();
  private final RoomMemory memory;
  private final ForwardedRequests forwarded;
  private final SentMessages sent = new SentMessages();
  private final TakenMessages taken = new TakenMessages();
  private final SlowMode slowMode;
  private final RoomActivity activity = new RoomActivity();
  private final boolean lacksMemory;
  private @Nullable Room destroyed;
  private @Nullable List<String> avatarHashes;
  private Instant lastUsed;
  private @Nullable Room copied;

  // Read by other threads to decide whether handling a stanza may take long.
  private volatile @Nullable LiveRoom live;
  private volatile int size;

  RoomHome(Jid jid, @Nullable LiveRoom live, RoomMemory memory, Instant now) {
    this(jid, live, memory, false, now);
  }

  /// The id since which this home has stored the entries of the log.
  private long firstEntry;

  private RoomHome(
      Jid jid, @Nullable LiveRoom live, RoomMemory memory, boolean lacksMemory, Instant now) {
    this.jid = jid;
    this.memory = memory;
    this.forwarded = new ForwardedRequests(memory);
    this.slowMode = new SlowMode(memory);
    this.lacksMemory = lacksMemory;
    this.lastUsed = now;
    setLive(live);
  }

  /// Creates the home of a stored room for which there is not enough memory.
  static RoomHome withoutMemory(Jid jid, RoomMemory memory, Instant now) {
    return new RoomHome(jid, null, memory, true, now);
  }

  /// A room in memory.
  ///
  /// @param room its state
  /// @param history its latest messages
  /// @param ids assigns occupant ids
  /// @param cost charges its creator for its memory
  /// @param slot its place among the creator's rooms that are not stored; null if it is stored
  public record LiveRoom(
      Room room,
      RoomHistory history,
      OccupantIds ids,
      RoomMemory.Charge cost,
      RoomCounts.@Nullable Slot slot) {
    LiveRoom asStored() {
      return new LiveRoom(room, history, ids, cost, null);
    }

    /// Whether the room is stored.
    public boolean stored() {
      return slot == null;
    }

    /// Releases what the room holds when it is unloaded or destroyed.
    public void end() {
      history.clear();
      cost.release();
      if (slot != null) {
        slot.release();
      }
    }
  }

  public Jid jid() {
    return jid;
  }

  /// Whether the room exists and there is not enough memory to load it.
  public boolean lacksMemory() {
    return lacksMemory;
  }

  /// Whether this home of the room has stored an entry of its log. Otherwise a former home has: on
  /// this node, or on one that may have died.
  public boolean hasStored(long id) {
    return id >= firstEntry;
  }

  /// Sets the id since which this home stores the entries.
  void setFirstEntry(long id) {
    firstEntry = id;
  }

  /// The messages that this home has sent recently.
  public TakenMessages taken() {
    return taken;
  }

  /// The progress of the room's messages on their way to the occupants.
  public SentMessages sent() {
    return sent;
  }

  /// The number of messages by the hour.
  public RoomActivity activity() {
    return activity;
  }

  /// The accounts that have to wait before their next message.
  public SlowMode slowMode() {
    return slowMode;
  }

  /// The memory shared by all rooms.
  public RoomMemory memory() {
    return memory;
  }

  /// Returns the room, or null if there is none. Any thread.
  public @Nullable LiveRoom live() {
    return live;
  }

  /// Sets the room when it is created, and null when it is destroyed or unloaded.
  public void setLive(@Nullable LiveRoom newLive) {
    LiveRoom old = live;
    live = newLive;
    if (newLive == null) {
      avatarHashes = null;
      slowMode.clear();
      activity.clear();
      if (old != null) {
        old.end();
      }
    }
    updateSize();
  }

  /// A room that was destroyed at this address and is still in the store; null if there is none.
  public @Nullable Room destroyed() {
    return destroyed;
  }

  public void setDestroyed(@Nullable Room inStore) {
    destroyed = inStore;
  }

  /// The room that is replicated to another node; null if there is none. It need not be [#live].
  public @Nullable Room copied() {
    return copied;
  }

  public void setCopied(@Nullable Room room) {
    copied = room;
  }

  /// The rate limits of users who enter.
  public JoinRates joins() {
    return joins;
  }

  /// The registration requests that wait for an admin.
  public PendingRegistrations pendingRegistrations() {
    return pendingRegistrations;
  }

  /// The forwarded stanzas that may still be answered.
  public ForwardedRequests forwarded() {
    return forwarded;
  }

  /// The hashes of the room's avatars (XEP-0486); null if they have not been read yet.
  public @Nullable List<String> avatarHashes() {
    return avatarHashes;
  }

  public void setAvatarHashes(@Nullable List<String> hashes) {
    avatarHashes =
        hashes == null || hashes.size() <= MAX_AVATARS
            ? hashes
            : List.copyOf(hashes.subList(0, MAX_AVATARS));
  }

  /// Records that the home was used.
  public void touch(Instant now) {
    lastUsed = now;
  }

  public Instant lastUsed() {
    return lastUsed;
  }

  /// Releases the room and all that waits.
  public void close() {
    setLive(null);
    forwarded.clear();
  }

  /// Updates the size after sessions have entered or left.
  public void updateSize() {
    LiveRoom now = live;
    size = now == null ? 0 : now.room().size();
  }

  /// The number of sessions in the room. Any thread.
  public int size() {
    return size;
  }
}
