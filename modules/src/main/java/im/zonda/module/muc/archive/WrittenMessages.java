package im.zonda.module.muc.archive;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.export.RoomArchives.Written;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.DateTimes;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.requests.HostRequests;
import im.zonda.module.requests.HostRequests.Answer;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The messages that a person has written in rooms: makes them anonymous, or erases them, when the
/// person is to be forgotten. The archive is changed where the work is done; the home of a room
/// changes what it has in memory.
///
/// @param context of the module
/// @param service the domain of the rooms
public record WrittenMessages(ModuleContext context, Jid service) {
  private static final Logger LOG = LoggerFactory.getLogger(WrittenMessages.class);
  private static final QName REWRITTEN = new QName("urn:zonda:rooms:0", "rewritten");
  private static final String FORMER = "former member";
  private static final int ROOMS = 100;
  private static final MessageArchive.Portion PORTION =
      new MessageArchive.Portion(false, 200, 524_288);

  public void install(RequestTable table) {
    table.onRoomIq(
        Iq.Type.SET, REWRITTEN, (home, live, iq, asked) -> rewriteInMemory(live, iq, asked));
  }

  /// See [im.zonda.module.export.RoomArchives#rewrite].
  public long rewrite(Jid user, Written written, long before, boolean change, LongConsumer looked)
      throws InterruptedException {
    RoomStore store = context.port(RoomStore.class);
    long found = 0;
    long rooms = 0;
    List<Jid> page = store.list(service.domain(), null, ROOMS);
    while (!page.isEmpty()) {
      for (Jid room : page) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long here = rewriteIn(room, user, written, before, change);
        if (here > 0 && change) {
          notifyHome(room, user, written, before);
        }
        found += here;
        looked.accept(++rooms);
      }
      page =
          page.size() < ROOMS
              ? List.of()
              : store.list(service.domain(), page.getLast().local(), ROOMS);
    }
    return found;
  }

  private long rewriteIn(Jid room, Jid user, Written written, long before, boolean change) {
    MessageArchive archive = context.port(MessageArchive.class);
    long found = 0;
    long from = Long.MIN_VALUE;
    MessageArchive.Page page;
    do {
      page =
          archive.page(
              room, new MessageArchive.Filter(null, from, before - 1, null, null), PORTION);
      for (MessageLog.Entry each : page.entries()) {
        from = each.id() + 1;
        if (user.equals(ArchivedAuthor.find(each.message()))) {
          found++;
          if (change) {
            boolean _ = archive.replace(room, each.id(), rewritten(each.message(), room, written));
          }
        }
      }
    } while (!page.complete() && !page.entries().isEmpty());
    return found;
  }

  private void notifyHome(Jid room, Jid user, Written written, long before)
      throws InterruptedException {
    Element payload =
        Element.builder(REWRITTEN)
            .attribute("jid", user.toString())
            .attribute("how", written.name().toLowerCase(Locale.ROOT))
            .attribute("before", Long.toString(before))
            .build();
    if (new HostRequests(context).set(room, payload) instanceof Answer.Refusal refusal) {
      LOG.atWarn()
          .addKeyValue("room", room)
          .addKeyValue("error", refusal.condition())
          .log("room_history_not_rewritten");
    }
  }

  private IqReply rewriteInMemory(LiveRoom live, Iq iq, Element asked) {
    String jid = asked.attribute("jid");
    String how = asked.attribute("how");
    String before = asked.attribute("before");
    if (!context.domain().equals(iq.from()) || jid == null || how == null || before == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Written written = Written.valueOf(how.toUpperCase(Locale.ROOT));
    Jid room = live.room().jid();
    live.history()
        .replaceOf(Jid.stored(jid), Long.parseLong(before), old -> rewritten(old, room, written));
    return IqReply.empty();
  }

  /// A message that does not say who has written it.
  private Message rewritten(Message old, Jid room, Written written) {
    Jid from = room.withResource(FORMER);
    return switch (written) {
      case KEEP -> old;
      case ANONYMISE ->
          old.withoutPayloads(each ->
                  each.name().equals(MucNames.X_USER) || each.name().equals(MucNames.OCCUPANT_ID))
              .withAddresses(from, null);
      case ERASE -> {
        Element retracted =
            Element.builder(MucNames.RETRACTED)
                .attribute("stamp", DateTimes.of(context.clock().instant()))
                .build();
        Element id = stanzaId(old);
        yield Message.of(
            old.type(),
            from,
            null,
            old.id(),
            id == null ? List.of(retracted) : List.of(id, retracted));
      }
    };
  }

  private static @Nullable Element stanzaId(Message message) {
    return message.payload(StanzaIds.NAME);
  }
}
