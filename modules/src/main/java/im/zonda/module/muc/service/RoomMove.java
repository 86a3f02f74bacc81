package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.SentMessages;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.service.SavedOccupancyCodec.SavedOccupancy;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the occupants of a room to another node of the cluster: when the room moves there, and
/// beforehand as copies, for the case that this node dies. Each session in the room is a part of
/// its own, by its full address; everything else about a room is in the database.
///
/// Rooms that are not stored do not move.
public final class RoomMove {
  private static final Logger LOG = LoggerFactory.getLogger(RoomMove.class);

  /// When occupants whose sessions have not come back either are removed. Before that, they are
  /// when a message to them is returned.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /// The part that says how far the room's messages have come; no session has such an address.
  private static final String SENT = "sent";

  /// The part that says who has to wait before the next message; only when the room moves, as its
  /// archive says so too.
  private static final String SLOW_MODE = "slow-mode";

  private static final int SENT_FORMAT = 1;

  /// How often that is copied while messages are sent.
  private static final Duration COPY_SENT = Duration.ofSeconds(1);

  private final ModuleContext context;
  private final RoomRestart restart;
  private final RoomReplay replay;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final SavedOccupancyCodec form = new SavedOccupancyCodec();

  public RoomMove(ModuleContext context, RoomRestart restart, RoomReplay replay) {
    this.context = context;
    this.restart = restart;
    this.replay = replay;
    this.log = context.port(MessageLog.class);
    this.clusterLog = context.port(ClusterLog.class);
  }

  /// What is done at a restart.
  RoomRestart restart() {
    return restart;
  }

  /// The occupants of a room that moves to another node.
  Map<String, byte[]> leaving(RoomHome home) {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    for (SavedOccupancy each : restart.collectOccupancies(home)) {
      parts.put(each.session().toString(), write(each));
    }
    if (home.sent().isStarted() && !parts.isEmpty()) {
      parts.put(SENT, writeSent(home.sent().handledUpTo(), true));
    }
    if (!home.slowMode().isEmpty()) {
      parts.put(SLOW_MODE, home.slowMode().write());
    }
    return parts;
  }

  /// Restores the occupants of a room that was on another node, and sends them what its former home
  /// had not sent to all of them, unless that lives and does so itself.
  ///
  /// @throws im.zonda.store.StoreException if that cannot be read; the same state is to be given to
  ///   the room again, which continues from there
  void arrived(RoomHome home, Map<String, byte[]> state) {
    List<SavedOccupancy> occupancies = new ArrayList<>();
    for (Map.Entry<String, byte[]> part : state.entrySet()) {
      try {
        switch (part.getKey()) {
          case SENT -> {
            // Below.
          }
          case SLOW_MODE -> home.slowMode().read(part.getValue());
          default -> occupancies.add(read(part.getValue()));
        }
      } catch (IOException | RuntimeException e) {
        LOG.atError().addKeyValue("room", home.jid()).setCause(e).log("occupant_not_moved");
      }
    }
    SentMessages messages = home.sent();
    LiveRoom live = home.live();
    Sent sent = live == null ? null : readSent(home, state.get(SENT));
    boolean begun = messages.isStarted(); // and then the database has failed
    // What may fail comes before anything that occupants notice.
    MessageArchive.Page rest =
        sent == null || sent.moved()
            ? null
            : replay.readAfter(home, begun ? messages.lastSent() : sent.handledUpTo());
    if (!begun) {
      restart.putBack(home, occupancies);
      if (sent != null) {
        messages.start(sent.handledUpTo());
      }
    }
    if (live != null && rest != null) {
      replay.send(home, live, rest);
    }
    if (sent != null) {
      messages.setContinued();
    }
    Jid room = home.jid();
    context.scheduler().schedule(PATIENCE, () -> restart.removeGone(room, occupancies));
  }

  /// How far the messages of a former home had come.
  ///
  /// @param handledUpTo all occupants have what has no higher id
  /// @param moved whether the former home lives and sends the rest itself
  private record Sent(long handledUpTo, boolean moved) {}

  private @Nullable Sent readSent(RoomHome home, byte @Nullable [] part) {
    if (part == null || !clusterLog.keepsOrigins()) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(part))) {
      return in.readInt() == SENT_FORMAT ? new Sent(in.readLong(), in.readBoolean()) : null;
    } catch (IOException e) {
      LOG.atError().addKeyValue("room", home.jid()).setCause(e).log("room_messages_not_sent");
      return null;
    }
  }

  private static byte[] writeSent(long handledUpTo, boolean moved) {
    return ByteBuffer.allocate(Integer.BYTES + Long.BYTES + 1)
        .putInt(SENT_FORMAT)
        .putLong(handledUpTo)
        .put((byte) (moved ? 1 : 0))
        .array();
  }

  /// Copies how far the messages have come, once a second at most.
  private void copySent(
      RoomHome home, @Nullable Room room, boolean all, DomainService.Copies copies) {
    SentMessages sent = home.sent();
    if (room == null || room.size() == 0) {
      if (sent.copied() != 0) {
        sent.forgetCopy();
        copies.copy(SENT, null);
      }
      return;
    }
    if (!sent.isStarted()) {
      sent.start(log.nextId());
    }
    if (all || sent.copied() == 0) {
      copies.copy(SENT, writeSent(sent.takeForCopy(true), false));
    } else if (sent.takeCopyDue()) {
      copies.copy(SENT, writeSent(sent.takeForCopy(false), false));
    }
    if (sent.copied() != sent.handledUpTo() && sent.waitForCopy()) {
      Jid address = home.jid();
      context
          .scheduler()
          .schedule(COPY_SENT, () -> restart.visit(address, due -> due.sent().setCopyDue()));
    }
  }

  /// Copies the sessions that have entered, left or changed.
  void copyChanges(RoomHome home, boolean all, DomainService.Copies copies) {
    LiveRoom live = home.live();
    Room room = live == null || !live.stored() ? null : live.room();
    Room before = home.copied();
    if (before != null && !before.equals(room)) {
      copy(before, false, copies);
    }
    home.setCopied(room);
    if (room != null) {
      copy(room, all, copies);
    }
    if (clusterLog.keepsOrigins()) {
      copySent(home, room, all, copies);
    }
  }

  private void copy(Room room, boolean all, DomainService.Copies copies) {
    for (Jid session : room.takeChanged(all)) {
      copies.copy(session.toString(), part(room, session));
    }
  }

  private byte @Nullable [] part(Room room, Jid session) {
    Occupant occupant = room.occupant(session);
    OccupantSession occupantSession = occupant == null ? null : occupant.session(session);
    return occupant == null || occupantSession == null
        ? null
        : write(SavedOccupancy.of(occupant, occupantSession));
  }

  private byte[] write(SavedOccupancy occupancy) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(form.version());
      form.write(occupancy, out);
      out.writeLong(occupancy.enteredAt());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private SavedOccupancy read(byte[] part) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(part))) {
      if (in.readInt() != form.version()) {
        throw new IOException("an occupant of another version");
      }
      return form.read(in).withEnteredAt(in.readLong());
    }
  }
}
