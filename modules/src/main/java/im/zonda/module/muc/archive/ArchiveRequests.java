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
import im.zonda.module.muc.stanza.RoomRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Gives those who may enter a room the archive of what was said there (XEP-0313, section 6.1.2).
public final class ArchiveRequests {
  private static final String STANZA_IDS = "urn:xmpp:sid:0";

  private final ModuleContext context;
  private final ArchiveQueries queries;

  public ArchiveRequests(ModuleContext context) {
    this.context = context;
    this.queries = ArchiveQueries.ofRooms(context);
  }

  /// Someone who reads, as far as true addresses go.
  ///
  /// @param all sees them all
  /// @param open sees those that were no secret when something was said
  private record Reader(boolean all, boolean open) {
    Message shown(Message archived) {
      return all || open
          ? ArchivedAuthor.showIn(archived, all)
          : ArchivedAuthor.removeFrom(archived);
    }
  }

  /// What is asked, outside of the room's mailbox. Blocks.
  private interface Question {
    IqReply answer(Jid room, Reader reader, Iq iq);
  }

  public void install(RequestTable table) {
    table.roomFeature(STANZA_IDS);
    if (!ArchiveQueries.available(context.config())) {
      return;
    }
    table.room(Iq.Type.SET, ArchiveQueries.QUERY, ask(this::page));
    table.room(Iq.Type.GET, ArchiveQueries.QUERY, ask((room, reader, iq) -> queries.form()));
    table.room(
        Iq.Type.GET, ArchiveQueries.METADATA, ask((room, reader, iq) -> queries.metadata(room)));
    queries.features().forEach(feature -> table.roomFeature(feature, RoomConfig::archive));
  }

  private IqReply page(Jid room, Reader reader, Iq iq) {
    return queries.page(room, iq, entry -> reader.shown(entry.message()), context::send);
  }

  private RoomRequest ask(Question question) {
    return (home, live, iq, payload) -> {
      Jid asker = iq.from();
      Room room = live.room();
      if (asker == null || !room.config().archive()) {
        return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
      }
      ErrorCondition refusal = refusal(room, asker.bare());
      if (refusal != null) {
        return IqReply.refuse(refusal);
      }
      Reader reader = reader(room, asker.bare());
      return aside(iq, asker, () -> question.answer(room.jid(), reader, iq));
    };
  }

  /// Why that user may not read, or null: whoever may not enter may not read either.
  private static @Nullable ErrorCondition refusal(Room room, Jid user) {
    Affiliation affiliation = room.affiliationOf(user);
    if (affiliation == Affiliation.OUTCAST) {
      return ErrorCondition.FORBIDDEN;
    }
    if (room.isLocked() && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    if (affiliation.isAtLeast(Affiliation.MEMBER)) {
      return null;
    }
    if (room.config().membersOnly()) {
      return ErrorCondition.FORBIDDEN;
    }
    // Nobody says the password here; those who are in the room have said it.
    return room.config().password() != null && room.occupantsOf(user).isEmpty()
        ? ErrorCondition.FORBIDDEN
        : null;
  }

  private static Reader reader(Room room, Jid user) {
    boolean moderates =
        room.affiliationOf(user).isAtLeast(Affiliation.ADMIN)
            || room.occupantsOf(user).stream().anyMatch(who -> who.role() == Role.MODERATOR);
    return new Reader(moderates, room.config().nonAnonymous());
  }

  /// Has the home of the one who asks do the reading, so that nobody in the room waits for it, and
  /// nobody reads several pages at a time. A stranger's is done here.
  private IqReply aside(Iq iq, Jid asker, Supplier<IqReply> answer) {
    if (!asker.domain().equals(context.domain().domain())) {
      return answer.get();
    }
    context.atHome(
        asker.bare(),
        home -> {
          try {
            reply(iq, answer.get());
          } catch (StoreException e) {
            boolean passing = e.retryable();
            reply(
                iq,
                IqReply.refuse(
                    passing
                        ? ErrorCondition.RESOURCE_CONSTRAINT
                        : ErrorCondition.INTERNAL_SERVER_ERROR));
            throw e; // for the log
          }
        });
    return IqReply.later();
  }

  private void reply(Iq iq, IqReply reply) {
    switch (reply) {
      case IqReply.Result(Element result) -> context.send(Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> context.send(Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }
}
