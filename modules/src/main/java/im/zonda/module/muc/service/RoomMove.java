package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.service.SavedOccupancyForm.SavedOccupancy;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private static final Logger log = LoggerFactory.getLogger(RoomMove.class);

  /// When occupants whose sessions have not come back either are removed. Before that, they are
  /// when a message to them is returned.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ModuleContext context;
  private final RoomRestart restart;
  private final SavedOccupancyForm form = new SavedOccupancyForm();

  public RoomMove(ModuleContext context, RoomRestart restart) {
    this.context = context;
    this.restart = restart;
  }

  /// The occupants of a room that moves to another node.
  Map<String, byte[]> leaving(RoomHome home) {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    for (SavedOccupancy each : restart.collectOccupancies(home)) {
      parts.put(each.session().toString(), write(each));
    }
    return parts;
  }

  /// Restores the occupants of a room that was on another node.
  void arrived(RoomHome home, Map<String, byte[]> state) {
    List<SavedOccupancy> occupancies = new ArrayList<>();
    for (byte[] part : state.values()) {
      try {
        occupancies.add(read(part));
      } catch (IOException | XmlException | StanzaFormatException e) {
        log.atError().addKeyValue("room", home.jid()).setCause(e).log("occupant_not_moved");
      }
    }
    restart.putBack(home, occupancies);
    Jid room = home.jid();
    context.scheduler().schedule(PATIENCE, () -> restart.removeGone(room, occupancies));
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
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private SavedOccupancy read(byte[] part) throws IOException, XmlException, StanzaFormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(part))) {
      if (in.readInt() != form.version()) {
        throw new IOException("an occupant of another version");
      }
      return form.read(in);
    }
  }
}
