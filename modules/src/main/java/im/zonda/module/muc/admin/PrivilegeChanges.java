package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.home.RoomCharges;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.Affected;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.VersionChain;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Applies changes of roles and affiliations and notifies the occupants (XEP-0045, sections 8, 9
/// and 10.3 to 10.8). Does not check permissions.
public final class PrivilegeChanges {
  /// A new role of an occupant.
  ///
  /// @param reason as given by the requester, or null
  record RoleChange(Occupant occupant, Role role, @Nullable String reason) {}

  /// Changes that are applied together or not at all.
  ///
  /// @param config the new configuration
  /// @param by who requests them
  /// @param byHost whether the host itself makes them, because accounts were removed or in a room
  ///   that it keeps: the room may lose its last owner, and new members are not sent invitations
  record Changes(
      RoomConfig config,
      List<AffiliationChange> affiliations,
      List<RoleChange> roles,
      Requester by,
      boolean byHost) {
    Changes {
      affiliations = List.copyOf(affiliations);
      roles = List.copyOf(roles);
    }

    Changes(
        RoomConfig config,
        List<AffiliationChange> affiliations,
        List<RoleChange> roles,
        Requester by) {
      this(config, affiliations, roles, by, false);
    }
  }

  /// An occupant whose role or affiliation has changed.
  ///
  /// @param present whether the occupant is still in the room
  private record Change(Occupant who, boolean present, Event event) {}

  private final ModuleContext context;
  private final RoomBroadcast broadcast;
  private final RoomRepository repository;
  private final RoomExit exit;

  public PrivilegeChanges(
      ModuleContext context, RoomBroadcast broadcast, RoomRepository repository, RoomExit exit) {
    this.context = context;
    this.broadcast = broadcast;
    this.repository = repository;
    this.exit = exit;
  }

  /// Stores the changes, applies them and notifies the occupants. Blocks unless only roles change;
  /// if the store fails, nothing has changed.
  ///
  /// @param done runs after removed occupants are notified and before the others are (section 8.2)
  /// @return false, and nothing has changed, if the room would use too much memory
  boolean saveAndApply(RoomHome home, LiveRoom live, Changes changes, Runnable done) {
    Room room = live.room();
    if (!changes.affiliations().isEmpty() || !changes.config().equals(room.config())) {
      if (!RoomCharges.charge(live, changes.config(), room.subject(), changes.affiliations())) {
        return false;
      }
      repository.save(live, changes.config(), room.subject(), changes.affiliations());
    }
    apply(home, live, changes, done);
    return true;
  }

  /// Applies changes that are stored already, and notifies the occupants.
  void apply(RoomHome home, LiveRoom live, Changes changes, Runnable done) {
    Room room = live.room();
    Set<Occupant> moderators = moderators(room);
    List<AffiliationChange> absent = findAbsent(room, changes.affiliations());
    List<AffiliationChange> invited =
        changes.byHost() ? List.of() : findInvited(room, absent, changes.config());
    VersionChain versions = versions(live, changes.affiliations());
    List<Change> results = applyAll(room, changes, versions);
    for (Change each : results) {
      if (!each.present()) {
        for (OccupantSession occupantSession : each.who().sessions()) {
          broadcast.sendLeft(each.who(), occupantSession, null, List.of(), each.event());
        }
      }
    }
    home.updateSize();
    // Before the notifications, so that the next request finds the room destroyed.
    exit.destroyIfUnused(home);
    done.run();
    results.forEach(each -> announce(room, each, moderators.contains(each.who())));
    absent.forEach(change -> announceAbsent(room, change, versions));
    invited.forEach(change -> sendInvitation(room, change, changes.by().user()));
  }

  /// The versions for those who keep the affiliations (XEP-0463): first of occupants, then of
  /// others, as they are announced.
  private static VersionChain versions(LiveRoom live, List<AffiliationChange> changes) {
    Room room = live.room();
    boolean followed =
        !changes.isEmpty()
            && room.occupants().stream()
                .flatMap(occupant -> occupant.sessions().stream())
                .anyMatch(OccupantSession::followsAffiliations);
    if (!followed) {
      return VersionChain.NONE;
    }
    List<AffiliationChange> ordered = new ArrayList<>(changes);
    ordered.sort(Comparator.comparing(change -> room.occupantsOf(change.user()).isEmpty()));
    return VersionChain.of(room.affiliations(), ordered, live.ids().salt());
  }

  /// A request may make users members and the room members-only, or the opposite. The order makes
  /// sure that nobody is removed in between.
  private List<Change> applyAll(Room room, Changes changes, VersionChain versions) {
    RoomConfig before = room.config();
    List<Change> results = new ArrayList<>();
    if (before.membersOnly()) {
      results.addAll(configure(room, changes.config()));
      results.addAll(applyAffiliations(room, changes, versions));
    } else {
      results.addAll(applyAffiliations(room, changes, versions));
      results.addAll(configure(room, changes.config()));
    }
    results.addAll(applyRoles(room, changes.roles(), changes.by().nick()));
    results.removeIf(each -> each.present() && each.who().role() == Role.NONE);
    if (before.nonAnonymous() != changes.config().nonAnonymous()) {
      broadcast.refreshPresence(room);
    }
    return results;
  }

  /// Applies the configuration (section 10.2.1). When a room stops being moderated, visitors get
  /// voice; otherwise roles stay.
  private static List<Change> configure(Room room, RoomConfig config) {
    if (config.equals(room.config())) {
      return List.of();
    }
    boolean wasModerated = room.config().moderated();
    List<Change> results = new ArrayList<>();
    for (Occupant who : room.configure(config)) {
      results.add(new Change(who, false, Event.of(322)));
    }
    if (wasModerated && !config.moderated()) {
      List<RoleChange> voice =
          room.occupants().stream()
              .filter(who -> who.role() == Role.VISITOR)
              .map(who -> new RoleChange(who, Role.PARTICIPANT, null))
              .toList();
      results.addAll(applyRoles(room, voice, null));
    }
    return results;
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

  private static List<AffiliationChange> findAbsent(Room room, List<AffiliationChange> changes) {
    return changes.stream()
        .filter(change -> change.user().local() != null)
        .filter(change -> room.affiliationOf(change.user()) != change.affiliation())
        .filter(change -> room.occupantsOf(change.user()).isEmpty())
        .toList();
  }

  /// Finds the users who may enter from now on and are sent an invitation (section 9.5).
  private static List<AffiliationChange> findInvited(
      Room room, List<AffiliationChange> absent, RoomConfig config) {
    return config.membersOnly() && !room.isLocked()
        ? absent.stream()
            .filter(change -> change.affiliation() == Affiliation.MEMBER)
            .filter(change -> room.affiliationOf(change.user()) == Affiliation.NONE)
            .toList()
        : List.of();
  }

  private static List<Change> applyAffiliations(Room room, Changes changes, VersionChain versions) {
    if (changes.affiliations().isEmpty()) {
      return List.of();
    }
    List<Change> results = new ArrayList<>();
    List<Affected> all =
        changes.byHost()
            ? room.applyByHost(changes.affiliations())
            : room.applyAffiliations(changes.affiliations());
    for (Affected affected : all) {
      Occupant who = affected.occupant();
      String reason = reason(changes.affiliations(), who.user());
      Event event =
          affected.present()
              ? Event.NONE.by(null, reason)
              : Event.of(who.affiliation() == Affiliation.OUTCAST ? 301 : 321)
                  .by(changes.by().nick(), reason);
      Element version = versions.of(who.user());
      results.add(
          new Change(who, affected.present(), version == null ? event : event.with(version)));
    }
    return results;
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

  private static List<Change> applyRoles(
      Room room, List<RoleChange> changes, @Nullable String actor) {
    List<Change> results = new ArrayList<>();
    for (RoleChange change : changes) {
      Occupant who = change.occupant();
      if (who.role() == Role.NONE || who.role() == change.role()) {
        continue;
      }
      room.changeRole(who, change.role());
      boolean present = change.role() != Role.NONE;
      Event event =
          present ? Event.NONE.by(null, change.reason()) : Event.of(307).by(actor, change.reason());
      results.add(new Change(who, present, event));
    }
    return results;
  }

  private void announce(Room room, Change results, boolean wasModerator) {
    Occupant who = results.who();
    if (!results.present()) {
      broadcast.sendUnavailable(room, who, List.of(), who.mainSession().jid(), results.event());
      return;
    }
    Presence shown = who.mainSession().presence();
    List<Element> payloads = shown == null ? List.of() : OccupantPresence.clientPayloads(shown);
    broadcast.sendAvailable(room, who, payloads, results.event());
    for (OccupantSession occupantSession : who.sessions()) {
      broadcast.sendToSelf(who, occupantSession, null, payloads, results.event());
    }
    if (wasModerator != (who.role() == Role.MODERATOR)) {
      broadcast.updateVisibility(room, who);
    }
  }

  /// Notifies occupants who may see real JIDs about a user who is not in the room (section 10.3).
  private void announceAbsent(Room room, AffiliationChange change, VersionChain versions) {
    Element.Builder item =
        Element.builder(MucNames.USER, "item")
            .attribute("affiliation", change.affiliation().value())
            .attribute("jid", change.user().toString())
            .attribute("role", Role.NONE.value());
    if (change.reason() != null) {
      item.child("reason", change.reason());
    }
    Element.Builder x = Element.builder(MucNames.X_USER).child(item.build());
    Element version = versions.of(change.user());
    if (version != null) {
      x.child(version);
    }
    Message message =
        Message.of(
            Message.Type.NORMAL,
            room.jid(),
            null,
            context.ids().next(),
            List.of(x.build(), MucNames.NO_STORE));
    for (Occupant occupant : room.occupants()) {
      if (room.showsAddressesTo(occupant)) {
        for (OccupantSession occupantSession : occupant.sessions()) {
          context.send(message.withAddresses(room.jid(), occupantSession.jid()));
        }
      }
    }
  }

  private void sendInvitation(Room room, AffiliationChange change, Jid by) {
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
    // A user who blocks that admin becomes a member without an invitation.
    context.send(Envelope.of(message).withAuthor(by));
  }
}
