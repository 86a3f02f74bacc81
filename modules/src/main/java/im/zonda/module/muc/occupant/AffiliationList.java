package im.zonda.module.muc.occupant;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.AffiliationVersion;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Permissions;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Room;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sends the affiliations of a room to a session that asks for them when it enters and does not
/// know the current ones.
@Xep(
    number = 463,
    version = "0.2.0",
    title = "MUC Affiliations Versioning",
    note =
        "A client that does not know the current version gets the whole list. Versions are for the"
            + " sessions of rooms in which one has asked for them")
final class AffiliationList {
  /// Items in one message.
  private static final int PORTION = 200;

  private final ModuleContext context;

  AffiliationList(ModuleContext context) {
    this.context = context;
  }

  /// Sends what the session has asked for, before any presence.
  ///
  /// @return the version for its own presence; null if it has not asked, or may not ask
  @Nullable Element send(LiveRoom live, OccupantSession session, Presence presence) {
    Element enter = presence.payload(MucNames.ENTER);
    Element request = enter == null ? null : enter.child(AffiliationVersion.MAV);
    if (request == null) {
      return null;
    }
    Room room = live.room();
    Requester requester = Requester.of(room, session.jid());
    List<Affiliation> visible =
        List.of(Affiliation.OWNER, Affiliation.ADMIN, Affiliation.MEMBER, Affiliation.OUTCAST)
            .stream()
            .filter(list -> Permissions.maySee(list, room.config(), requester.privileges()))
            .toList();
    if (visible.isEmpty()) {
      refuse(room.jid(), session.jid(), presence.id());
      return null;
    }
    session.followAffiliations();
    String version = AffiliationVersion.of(room.affiliations(), live.ids().salt()).toString();
    if (!version.equals(request.attribute("since"))) {
      sendAll(room.jid(), session.jid(), items(room.affiliations(), visible), version);
    }
    return AffiliationVersion.element(null, version);
  }

  private static List<Element> items(Affiliations affiliations, List<Affiliation> visible) {
    List<Element> items = new ArrayList<>();
    for (Affiliation affiliation : visible) {
      for (Jid user : affiliations.with(affiliation)) {
        items.add(
            Element.builder(MucNames.USER, "item")
                .attribute("affiliation", affiliation.value())
                .attribute("jid", user.toString())
                .build());
      }
    }
    return items;
  }

  /// Sends a list in portions. The version between two of them is known to nobody else.
  private void sendAll(Jid room, Jid session, List<Element> items, String version) {
    String since = null;
    int start = 0;
    do {
      int end = Math.min(items.size(), start + PORTION);
      String until = end == items.size() ? version : version + "." + end;
      Element x =
          Element.builder(MucNames.X_USER)
              .child(AffiliationVersion.element(since, until))
              .children(items.subList(start, end))
              .build();
      context.send(
          Message.of(
              Message.Type.NORMAL,
              room,
              session,
              context.ids().next(),
              List.of(x, MucNames.NO_STORE)));
      since = until;
      start = end;
    } while (start < items.size());
  }

  private void refuse(Jid room, Jid session, @Nullable String id) {
    Message error =
        Message.of(
            Message.Type.ERROR,
            room,
            session,
            Objects.requireNonNullElseGet(id, context.ids()::next),
            List.of(StanzaError.of(ErrorCondition.FORBIDDEN).toElement()));
    context.send(error);
  }
}
