package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.occupant.Visits.Progress;
import im.zonda.module.muc.occupant.Visits.Visit;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Sends a recovered session what it has not received of its room, at the request of the session's
/// home ([SessionRooms]): the rest of the answer to its request to enter, and the messages after
/// the last one that it received. They come before the answer, and later stanzas of the room after
/// it.
///
/// An occupant that asks without need gets messages that it has received before, one page at most.
public final class RoomCatchUp {
  private static final QName NAME = new QName("urn:zonda:muc:0", "catch-up");

  /// How much of the answer to its request to enter the session has received.
  private static final String RECEIVED = "received";

  private static final QName MORE = new QName(NAME.namespace(), "more");

  /// The most messages, or bytes, of a page.
  private static final int MOST = 1_000;

  private static final long MOST_BYTES = 1_048_576;

  /// Upper bound on the time for which stanzas from before a session entered are on their way.
  private static final Duration ENTERED_LATELY = Duration.ofSeconds(30);

  private final ModuleContext context;
  private final MessageArchive archive;
  private final StanzaIds ids;
  private final RoomBroadcast broadcast;
  private final RoomEntry entry;

  public RoomCatchUp(ModuleContext context, RoomBroadcast broadcast, RoomEntry entry) {
    this.context = context;
    this.entry = entry;
    this.archive = context.port(MessageArchive.class);
    this.ids = context.port(StanzaIds.class);
    this.broadcast = broadcast;
  }

  /// Declares the request.
  public void install(RequestTable requests) {
    requests.onRoomIq(
        Iq.Type.SET, NAME, (home, live, iq, payload) -> answer(home, live, iq.from(), payload));
  }

  /// The request.
  ///
  /// @param visit what the session has received
  static Iq request(Jid session, Jid room, String id, Visit visit) {
    Element.Builder payload = Element.builder(NAME);
    payload.attribute(RECEIVED, visit.progress().name().toLowerCase(Locale.ROOT));
    String last = visit.last();
    if (last != null) {
      payload.attribute("after", last);
    }
    return Iq.of(Iq.Type.SET, session, room, id, payload.build());
  }

  /// Whether an answer says that there are more messages, to be requested next.
  static boolean saysMore(Iq answer) {
    return answer.payload(MORE) != null;
  }

  /// Whether stanzas to or from the session from before it entered may still be on their way.
  static boolean hasEnteredLately(OccupantSession session, Instant now) {
    return MessageLog.timeOf(session.enteredAt()).isAfter(now.minus(ENTERED_LATELY));
  }

  private IqReply answer(RoomHome home, LiveRoom live, @Nullable Jid who, Element payload) {
    Occupant occupant = who == null ? null : live.room().occupant(who);
    OccupantSession session = occupant == null || who == null ? null : occupant.session(who);
    if (occupant == null || session == null) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE);
    }
    String after = payload.attribute("after");
    long last = after == null ? 0 : ids.decode(after).orElse(Long.MAX_VALUE - 1);
    entry.sendRest(live, occupant, session, progress(payload, session), last);
    session.setCaughtUp();
    long from = Math.max(last + 1, session.enteredAt());
    MessageArchive.Page page =
        archive.page(
            home.jid(),
            new MessageArchive.Filter(null, from, Long.MAX_VALUE, null, null),
            new MessageArchive.Portion(false, MOST, MOST_BYTES));
    for (MessageLog.Entry each : page.entries()) {
      Message message = ArchivedAuthor.removeFrom(each.message());
      broadcast.sendTo(session, SessionRooms.markSentAgain(message));
    }
    return page.complete() ? IqReply.empty() : IqReply.result(Element.of(MORE));
  }

  /// The version before does not say it: a session that has entered recently may have received
  /// nothing. Its home discards messages that it has received.
  private Progress progress(Element payload, OccupantSession session) {
    String received = payload.attribute(RECEIVED);
    for (Progress each : Progress.values()) {
      if (each.name().equalsIgnoreCase(received)) {
        return each;
      }
    }
    return hasEnteredLately(session, context.clock().instant()) ? Progress.NONE : Progress.ALL;
  }
}
