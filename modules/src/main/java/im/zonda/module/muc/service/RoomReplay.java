package im.zonda.module.muc.service;

import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.MessageCommands;
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

  /// Sends the archived messages after that id, in order. Blocks.
  void sendAfter(RoomHome home, LiveRoom live, long last) {
    long from = last + 1;
    MessageArchive.Page page;
    do {
      page =
          archive.page(
              home.jid(),
              new MessageArchive.Filter(null, from, Long.MAX_VALUE, null, null),
              new MessageArchive.Portion(false, PAGE, PAGE_BYTES));
      for (MessageLog.Entry entry : page.entries()) {
        send(home, live, entry);
        from = entry.id() + 1;
      }
    } while (!page.complete());
  }

  private void send(RoomHome home, LiveRoom live, MessageLog.Entry entry) {
    Message message = ArchivedAuthor.removeFrom(entry.message());
    Room room = live.room();
    Subject before = room.subject();
    if (MessageCommands.isSubject(message)
        && (before == null || before.time().isBefore(entry.time()))) {
      Subject subject = new Subject(message.packed(), entry.time());
      repository.save(live, room.config(), subject, List.of());
      room.setSubject(subject);
    }
    Origin sent = home.sent().send(entry.id());
    broadcast.sendAgain(room, SessionRooms.markSentAgain(message), entry.id(), sent);
    sent.release();
  }
}
