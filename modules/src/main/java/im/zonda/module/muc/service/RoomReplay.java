package im.zonda.module.muc.service;

import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.SessionRooms;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import java.util.List;

/// Sends the occupants of a room what its former home has stored and may not have sent to all of
/// them before its node died or was cut off. Must come before anything else that the room does.
public final class RoomReplay {
  private static final int PAGE = 500;
  private static final long PAGE_BYTES = 1_048_576;

  private final RoomBroadcast broadcast;
  private final RoomRepository repository;
  private final MessageArchive archive;

  public RoomReplay(ModuleContext context, RoomBroadcast broadcast, RoomRepository repository) {
    this.broadcast = broadcast;
    this.repository = repository;
    this.archive = context.port(MessageArchive.class);
  }

  /// Reads the first archived messages after that id. Blocks.
  MessageArchive.Page readAfter(RoomHome home, long last) {
    return archive.page(
        home.jid(),
        new MessageArchive.Filter(null, last + 1, Long.MAX_VALUE, null, null),
        new MessageArchive.Portion(false, PAGE, PAGE_BYTES));
  }

  /// Sends these archived messages and those after them, in order. Blocks.
  ///
  /// @throws im.zonda.store.StoreException if not all could be read; the room's
  ///   [im.zonda.module.muc.home.SentMessages] have the last one that was sent
  void send(RoomHome home, LiveRoom live, MessageArchive.Page first) {
    MessageArchive.Page page = first;
    page.entries().forEach(entry -> send(home, live, entry));
    while (!page.complete()) {
      page = readAfter(home, home.sent().lastSent());
      page.entries().forEach(entry -> send(home, live, entry));
    }
  }

  private void send(RoomHome home, LiveRoom live, MessageLog.Entry entry) {
    Message message = ArchivedAuthor.removeFrom(entry.message());
    Room room = live.room();
    Subject before = room.subject();
    if (Subject.isChangedBy(message) && (before == null || before.time().isBefore(entry.time()))) {
      Subject subject = new Subject(message.packed(), entry.time());
      repository.save(live, room.config(), subject, List.of());
      room.setSubject(subject);
    }
    Origin sent = home.sent().send(entry.id());
    broadcast.sendAgain(room, SessionRooms.markSentAgain(message), entry.id(), sent);
    sent.release();
  }
}
