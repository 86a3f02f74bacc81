package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.OccupantPresence.Event;
import im.zonda.module.muc.Room.Affected;
import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes changes to what people are to a room and in it, and tells everyone who is to know
/// (XEP-0045, sections 8, 9 and 10.3 to 10.8). Whether they may be made was decided before.
final class PeopleChanges {
  /// A change of an occupant's role.
  ///
  /// @param reason in words of who changes it, or null
  record RoleChange(Occupant occupant, Role role, @Nullable String reason) {}

  /// Changes that are made together or not at all.
  ///
  /// @param config the configuration from then on
  /// @param by who makes them
  record Changes(
      RoomConfig config, List<AffiliationChange> affiliations, List<RoleChange> roles, Asker by) {
    Changes {
      affiliations = List.copyOf(affiliations);
      roles = List.copyOf(roles);
    }
  }

  /// Someone to whom something has happened.
  private record News(Occupant who, boolean present, Event event) {}

  private final ModuleContext context;
  private final RoomBroadcast broadcast;
  private final RoomKeeper keeper;
  private final RoomExit exit;

  PeopleChanges(ModuleContext context, RoomBroadcast broadcast, RoomKeeper keeper, RoomExit exit) {
    this.context = context;
    this.broadcast = broadcast;
    this.keeper = keeper;
    this.exit = exit;
  }

  /// Stores the changes, makes them and tells of them. Blocks unless only roles change; if the
  /// store fails, nothing has changed.
  ///
  /// @param done runs when those who are put out have been told, and nobody else (section 8.2)
  /// @return false, and nothing is changed, if the room would take too much memory
  boolean make(RoomHome home, LiveRoom live, Changes changes, Runnable done) {
    Room room = live.room();
    if (!changes.affiliations().isEmpty() || !changes.config().equals(room.config())) {
      if (!RoomCost.charge(live, changes.config(), room.subject(), changes.affiliations())) {
        return false;
      }
      keeper.save(live, changes.config(), room.subject(), changes.affiliations());
    }
    apply(home, live, changes, done);
    return true;
  }

  /// The same for what is stored already.
  void apply(RoomHome home, LiveRoom live, Changes changes, Runnable done) {
    Room room = live.room();
    Set<Occupant> moderators = moderators(room);
    List<AffiliationChange> absent = absent(room, changes.affiliations());
    List<AffiliationChange> invited = invited(room, absent, changes.config());
    List<News> news = change(room, changes);
    for (News each : news) {
      if (!each.present()) {
        for (Seat seat : each.who().seats()) {
          broadcast.goneToSelf(each.who(), seat, null, List.of(), each.event());
        }
      }
    }
    home.changed();
    // Asked for before anyone hears of it, so that whoever asks next finds the room gone.
    exit.endIfOver(home);
    done.run();
    news.forEach(each -> tell(room, each, moderators.contains(each.who())));
    absent.forEach(change -> tellOfAbsent(room, change));
    invited.forEach(change -> invite(room, change, changes.by().user()));
  }

  /// Becoming a member and the room's becoming members-only may come together, and so may the
  /// opposite: neither must put anyone out in between.
  private List<News> change(Room room, Changes changes) {
    RoomConfig before = room.config();
    List<News> news = new ArrayList<>();
    if (before.membersOnly()) {
      news.addAll(configure(room, changes.config()));
      news.addAll(affiliations(room, changes));
    } else {
      news.addAll(affiliations(room, changes));
      news.addAll(configure(room, changes.config()));
    }
    news.addAll(roles(room, changes.roles(), changes.by().nick()));
    news.removeIf(each -> each.present() && each.who().role() == Role.NONE);
    if (before.nonAnonymous() != changes.config().nonAnonymous()) {
      broadcast.reshow(room);
    }
    return news;
  }

  /// Section 10.2.1. Where everyone may speak, those who are there may at once; otherwise roles
  /// stay as they are.
  private static List<News> configure(Room room, RoomConfig config) {
    if (config.equals(room.config())) {
      return List.of();
    }
    boolean wasModerated = room.config().moderated();
    List<News> news = new ArrayList<>();
    for (Occupant who : room.configure(config)) {
      news.add(new News(who, false, Event.of(322)));
    }
    if (wasModerated && !config.moderated()) {
      List<RoleChange> voice =
          room.occupants().stream()
              .filter(who -> who.role() == Role.VISITOR)
              .map(who -> new RoleChange(who, Role.PARTICIPANT, null))
              .toList();
      news.addAll(roles(room, voice, null));
    }
    return news;
  }

  private static Set<Occupant> moderators(Room room) {
    Set<Occupant> moderators = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Occupant occupant : room.occupants()) {
      if (occupant.role() == Role.MODERATOR) {
        moderators.add(occupant);
      }
    }
    return moderators;
  }

  private static List<AffiliationChange> absent(Room room, List<AffiliationChange> changes) {
    return changes.stream()
        .filter(change -> change.user().local() != null)
        .filter(change -> room.affiliationOf(change.user()) != change.affiliation())
        .filter(change -> room.occupantsOf(change.user()).isEmpty())
        .toList();
  }

  /// Section 9.5: whoever may enter from now on is told so.
  private static List<AffiliationChange> invited(
      Room room, List<AffiliationChange> absent, RoomConfig config) {
    return config.membersOnly() && !room.isLocked()
        ? absent.stream()
            .filter(change -> change.affiliation() == Affiliation.MEMBER)
            .filter(change -> room.affiliationOf(change.user()) == Affiliation.NONE)
            .toList()
        : List.of();
  }

  private static List<News> affiliations(Room room, Changes changes) {
    if (changes.affiliations().isEmpty()) {
      return List.of();
    }
    List<News> news = new ArrayList<>();
    for (Affected affected : room.apply(changes.affiliations())) {
      Occupant who = affected.occupant();
      String reason = reason(changes.affiliations(), who.user());
      Event event =
          affected.present()
              ? Event.NONE.by(null, reason)
              : Event.of(who.affiliation() == Affiliation.OUTCAST ? 301 : 321)
                  .by(changes.by().nick(), reason);
      news.add(new News(who, affected.present(), event));
    }
    return news;
  }

  private static @Nullable String reason(List<AffiliationChange> changes, Jid user) {
    String reason = null;
    for (AffiliationChange change : changes) {
      if (change.user().equals(user)) {
        return change.reason();
      }
      if (change.user().equals(user.domainJid())) {
        reason = change.reason();
      }
    }
    return reason;
  }

  private static List<News> roles(Room room, List<RoleChange> changes, @Nullable String actor) {
    List<News> news = new ArrayList<>();
    for (RoleChange change : changes) {
      Occupant who = change.occupant();
      if (who.role() == Role.NONE || who.role() == change.role()) {
        continue;
      }
      room.role(who, change.role());
      boolean present = change.role() != Role.NONE;
      Event event =
          present ? Event.NONE.by(null, change.reason()) : Event.of(307).by(actor, change.reason());
      news.add(new News(who, present, event));
    }
    return news;
  }

  private void tell(Room room, News news, boolean wasModerator) {
    Occupant who = news.who();
    if (!news.present()) {
      broadcast.unavailable(room, who, List.of(), who.main().session(), news.event());
      return;
    }
    Presence shown = who.main().shown();
    List<Element> said = shown == null ? List.of() : OccupantPresence.said(shown);
    broadcast.available(room, who, said, news.event());
    for (Seat seat : who.seats()) {
      broadcast.toSelf(who, seat, null, said, news.event());
    }
    if (wasModerator != (who.role() == Role.MODERATOR)) {
      broadcast.sight(room, who);
    }
  }

  /// Section 10.3; those who may not see true addresses learn nothing.
  private void tellOfAbsent(Room room, AffiliationChange change) {
    Element.Builder item =
        Element.builder(MucNames.USER, "item")
            .attribute("affiliation", change.affiliation().value())
            .attribute("jid", change.user().toString())
            .attribute("role", Role.NONE.value());
    if (change.reason() != null) {
      item.child("reason", change.reason());
    }
    Message message =
        Message.of(
            Message.Type.NORMAL,
            room.jid(),
            null,
            context.ids().next(),
            List.of(
                Element.builder(MucNames.X_USER).child(item.build()).build(), MucNames.NO_STORE));
    for (Occupant occupant : room.occupants()) {
      if (room.showsAddressesTo(occupant)) {
        for (Seat seat : occupant.seats()) {
          context.send(message.withAddresses(room.jid(), seat.session()));
        }
      }
    }
  }

  private void invite(Room room, AffiliationChange change, Jid by) {
    Element.Builder invite = Element.builder(MucNames.USER, "invite");
    invite.attribute("from", by.toString());
    if (change.reason() != null) {
      invite.child("reason", change.reason());
    }
    Element.Builder x = Element.builder(MucNames.X_USER).child(invite.build());
    String password = room.config().password();
    if (password != null) {
      x.child("password", password);
    }
    Message message =
        Message.of(
            Message.Type.NORMAL,
            room.jid(),
            change.user(),
            context.ids().next(),
            List.of(x.build()));
    // A user who blocks that admin is a member all the same.
    context.send(Envelope.of(message).withAuthor(by));
  }
}
