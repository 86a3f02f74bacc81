package im.zonda.module.muc.admin;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.admin.PrivilegeChanges.RoleChange;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Nickname;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Permissions;
import im.zonda.module.muc.room.Permissions.Privileges;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Validates the items of one request to change roles and affiliations (XEP-0045, sections 8 to 10
/// and 15.4). Every item is checked against the state before the request; one that is not allowed
/// rejects the whole request.
final class AdminItems {
  private static final int MAX_REASON = 1_000;

  private final Room room;
  private final Requester requester;
  private final int mostAffiliations;
  private final Map<Jid, AffiliationChange> affiliations = new LinkedHashMap<>();
  private final Map<Occupant, RoleChange> roles = new LinkedHashMap<>();

  /// @param mostAffiliations the most affiliations the room may have
  AdminItems(Room room, Requester requester, int mostAffiliations) {
    this.room = room;
    this.requester = requester;
    this.mostAffiliations = mostAffiliations;
  }

  /// Adds one `<item/>`; returns the error if it is not allowed, otherwise null.
  @Nullable StanzaError add(Element item) {
    String affiliation = item.attribute("affiliation");
    String role = item.attribute("role");
    if ((affiliation == null) == (role == null)) {
      return error(
          ErrorCondition.BAD_REQUEST,
          "change either the role or the affiliation of a user, not both");
    }
    Element reasonElement = item.child("reason");
    String reason =
        reasonElement == null || reasonElement.text().isEmpty() ? null : reasonElement.text();
    if (reason != null && reason.length() > MAX_REASON) {
      return error(ErrorCondition.NOT_ACCEPTABLE, "a reason has at most 1000 characters");
    }
    return role != null ? role(item, role, reason) : affiliation(item, affiliation, reason);
  }

  private @Nullable StanzaError role(Element item, String word, @Nullable String reason) {
    Role wanted = Role.of(word);
    if (wanted == null) {
      return error(
          ErrorCondition.BAD_REQUEST, "unknown role; use none, visitor, participant or moderator");
    }
    Privileges own = requester.privileges();
    if (!own.isModerator() && !own.isAdmin()) {
      // Others must not learn who is in the room.
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    List<Occupant> targets;
    try {
      targets = occupants(item);
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    if (targets.isEmpty()) {
      return StanzaError.of(ErrorCondition.ITEM_NOT_FOUND);
    }
    for (Occupant target : targets) {
      Privileges privileges = new Privileges(target.affiliation(), target.role());
      ErrorCondition refused =
          Permissions.role(own, privileges, wanted, target.user().equals(requester.user()));
      if (refused != null) {
        return StanzaError.of(refused);
      }
      if (roles.put(target, new RoleChange(target, wanted, reason)) != null) {
        return error(ErrorCondition.BAD_REQUEST, "the request has two items for one occupant");
      }
    }
    return null;
  }

  /// Finds the occupants by nickname or by full address (section 5.1).
  private List<Occupant> occupants(Element item) throws JidFormatException {
    String nick = item.attribute("nick");
    String jid = item.attribute("jid");
    if (nick != null) {
      Occupant named = named(nick);
      return named == null ? List.of() : List.of(named);
    }
    if (jid == null) {
      return List.of();
    }
    Jid address = Jid.of(jid);
    if (address.isBare()) {
      return address.isDomain() ? List.of() : room.occupantsOf(address);
    }
    Occupant found = room.occupant(address);
    return found == null ? List.of() : List.of(found);
  }

  private @Nullable Occupant named(String nick) {
    String prepared = Nickname.prepare(room.jid(), nick);
    return prepared == null ? null : room.occupantByNick(prepared);
  }

  private @Nullable StanzaError affiliation(
      Element item, @Nullable String word, @Nullable String reason) {
    Affiliation wanted = Affiliation.of(word);
    if (wanted == null) {
      return error(
          ErrorCondition.BAD_REQUEST,
          "unknown affiliation; use none, outcast, member, admin or owner");
    }
    if (!requester.privileges().isAdmin()) {
      return StanzaError.of(ErrorCondition.FORBIDDEN);
    }
    Jid user;
    try {
      user = user(item);
    } catch (JidFormatException e) {
      return StanzaError.of(ErrorCondition.JID_MALFORMED);
    }
    if (user == null) {
      return StanzaError.of(ErrorCondition.ITEM_NOT_FOUND);
    }
    Affiliation now = room.affiliationOf(user);
    ErrorCondition refused =
        Permissions.affiliation(
            requester.privileges().affiliation(), now, wanted, user.equals(requester.user()));
    if (refused != null) {
      return StanzaError.of(refused);
    }
    if (user.isDomain() && wanted.isAtLeast(Affiliation.ADMIN)) {
      return error(ErrorCondition.NOT_ALLOWED, "a domain can only be a member or an outcast");
    }
    boolean ownsAll = now == Affiliation.OWNER && room.affiliations().of(user) != now;
    if (ownsAll && wanted != Affiliation.OWNER) {
      return error(ErrorCondition.NOT_ALLOWED, "a service administrator owns every room");
    }
    return affiliation(user, wanted, item, reason);
  }

  private @Nullable StanzaError affiliation(
      Jid user, Affiliation wanted, Element item, @Nullable String reason) {
    if (wanted.isAtLeast(Affiliation.MEMBER) && GuestAddress.isGuest(user)) {
      return error(
          ErrorCondition.NOT_ACCEPTABLE, "a guest has no account that could be affiliated");
    }
    String nick = room.affiliations().nickOf(user);
    String asked = item.attribute("jid") == null ? null : item.attribute("nick");
    if (!wanted.isAtLeast(Affiliation.MEMBER) || (asked != null && asked.isEmpty())) {
      nick = null;
    } else if (asked != null) {
      nick = Nickname.prepare(room.jid(), asked);
      if (nick == null || user.isDomain()) {
        return error(
            ErrorCondition.NOT_ACCEPTABLE, "this nickname cannot be reserved; choose another one");
      }
      if (!room.isNickAvailable(user, nick) || isReserved(nick)) {
        return StanzaError.of(ErrorCondition.CONFLICT);
      }
    }
    AffiliationChange change = new AffiliationChange(user, wanted, nick, reason);
    return affiliations.put(user, change) == null
        ? null
        : error(ErrorCondition.BAD_REQUEST, "the request has two items for one user");
  }

  /// Whether another item of this request reserves the same nickname.
  private boolean isReserved(String nick) {
    String key = Nickname.key(nick);
    return affiliations.values().stream()
        .anyMatch(change -> change.nick() != null && Nickname.key(change.nick()).equals(key));
  }

  /// Finds the bare address of an item; a nickname stands for the user of that occupant (section
  /// 9.1).
  private @Nullable Jid user(Element item) throws JidFormatException {
    String jid = item.attribute("jid");
    String nick = item.attribute("nick");
    if (jid != null) {
      return Jid.of(jid).bare();
    }
    Occupant named = nick == null ? null : named(nick);
    return named == null ? null : named.user();
  }

  /// Checks all items together; returns the error, or null.
  @Nullable StanzaError check() {
    List<AffiliationChange> changes = new ArrayList<>(affiliations.values());
    if (roles.keySet().stream().anyMatch(occupant -> affiliations.containsKey(occupant.user()))) {
      return error(
          ErrorCondition.BAD_REQUEST,
          "change either the role or the affiliation of a user, not both");
    }
    if (!changes.isEmpty() && !room.keepsAnOwner(changes)) {
      return error(
          ErrorCondition.CONFLICT,
          "a room needs at least one owner; make another user an owner first");
    }
    return room.affiliations().fits(changes, mostAffiliations)
        ? null
        : error(
            ErrorCondition.RESOURCE_CONSTRAINT,
            "the room has too many affiliations; remove some and try again");
  }

  /// Returns the changes of all items.
  Changes changes() {
    return new Changes(
        room.config(), List.copyOf(affiliations.values()), List.copyOf(roles.values()), requester);
  }

  private static StanzaError error(ErrorCondition condition, String text) {
    return StanzaError.of(condition).withText(text);
  }
}
