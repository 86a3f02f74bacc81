package im.zonda.module.muc.archive;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.home.ArchivedAuthor;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomRequestHandler;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Handles queries of a room's archive (XEP-0313, section 6.1.2) from users who may enter the room.
public final class ArchiveRequests {
  private static final String STANZA_IDS = StanzaIds.NAME.namespace();

  private final ModuleContext context;
  private final ArchiveQueries queries;

  public ArchiveRequests(ModuleContext context) {
    this.context = context;
    this.queries = ArchiveQueries.ofRooms(context);
  }

  /// Which real JIDs a reader may see.
  ///
  /// @param all all of them
  /// @param open those of messages that were sent while the room was non-anonymous
  private record Reader(boolean all, boolean open) {
    Message shown(Message archived) {
      return all || open
          ? ArchivedAuthor.showIn(archived, all)
          : ArchivedAuthor.removeFrom(archived);
    }
  }

  /// A query that runs outside of the room's mailbox. Blocks.
  private interface Question {
    IqReply answer(Jid room, Reader reader, Iq iq);
  }

  public void install(RequestTable table) {
    table.roomFeature(STANZA_IDS);
    if (!ArchiveQueries.available(context.config())) {
      return;
    }
    table.onRoomIq(Iq.Type.SET, ArchiveQueries.QUERY, ask(this::page));
    table.onRoomIq(Iq.Type.GET, ArchiveQueries.QUERY, ask((room, reader, iq) -> queries.form()));
    table.onRoomIq(
        Iq.Type.GET, ArchiveQueries.METADATA, ask((room, reader, iq) -> queries.metadata(room)));
    queries.features().forEach(feature -> table.roomFeature(feature, RoomConfig::archive));
  }

  private IqReply page(Jid room, Reader reader, Iq iq) {
    return queries.page(room, iq, entry -> reader.shown(entry.message()), context::send);
  }

  private RoomRequestHandler ask(Question question) {
    return (home, live, iq, payload) -> {
      Jid requester = iq.from();
      Room room = live.room();
      if (requester == null || !room.config().archive()) {
        return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
      }
      ErrorCondition error = findError(room, requester.bare());
      if (error != null) {
        return IqReply.refuse(error);
      }
      Reader reader = reader(room, requester.bare());
      return aside(iq, requester, () -> question.answer(room.jid(), reader, iq));
    };
  }

  /// Returns the error if the user may not read the archive, otherwise null. Users who may not
  /// enter may not read.
  private static @Nullable ErrorCondition findError(Room room, Jid user) {
    Affiliation affiliation = room.affiliationOf(user);
    if (affiliation == Affiliation.OUTCAST) {
      return ErrorCondition.FORBIDDEN;
    }
    if (room.isLocked() && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    if (affiliation.isAtLeast(Affiliation.ADMIN)) {
      return null;
    }
    if (room.config().membersOnly() && affiliation != Affiliation.MEMBER) {
      return ErrorCondition.FORBIDDEN;
    }
    // A query has no password; occupants have given it when they entered. Members need it too: they
    // may have registered before the room had one.
    return room.config().password() != null && room.occupantsOf(user).isEmpty()
        ? ErrorCondition.FORBIDDEN
        : null;
  }

  private static Reader reader(Room room, Jid user) {
    boolean moderates =
        room.affiliationOf(user).isAtLeast(Affiliation.ADMIN)
            || room.occupantsOf(user).stream()
                .anyMatch(occupant -> occupant.role() == Role.MODERATOR);
    return new Reader(moderates, room.config().nonAnonymous());
  }

  /// Runs a query at the home of the requester's account, so that it does not delay the room and a
  /// user reads one page at a time. Queries from other servers and nodes run here.
  private IqReply aside(Iq iq, Jid requester, Supplier<IqReply> answer) {
    boolean later = context.atHome(requester.bare(), home -> replyLater(iq, answer));
    return later ? IqReply.later() : answer.get();
  }

  private void replyLater(Iq iq, Supplier<IqReply> answer) {
    try {
      reply(iq, answer.get());
    } catch (StoreException e) {
      boolean passing = e.retryable();
      reply(
          iq,
          IqReply.refuse(
              passing ? ErrorCondition.RESOURCE_CONSTRAINT : ErrorCondition.INTERNAL_SERVER_ERROR));
      throw e; // for the log
    }
  }

  private void reply(Iq iq, IqReply reply) {
    switch (reply) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }
}
