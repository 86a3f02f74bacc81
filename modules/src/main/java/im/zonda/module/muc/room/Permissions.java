package im.zonda.module.muc.room;

import im.zonda.stanza.ErrorCondition;
import org.jspecify.annotations.Nullable;

/// Decides who may change roles and affiliations (XEP-0045, sections 5.1.3, 5.2.3, 8, 9 and 10).
/// Methods return the error for the requester, or null if the change is allowed.
///
/// Where the text is ambiguous: an occupant may kick itself, and a moderator may revoke the voice
/// of a user with the same affiliation (section 8.4 contradicts itself; this follows section 8.5
/// and the table).
public final class Permissions {
  private Permissions() {}

  /// The role and affiliation of a user; the role is [Role#NONE] if the user is not in the room.
  public record Privileges(Affiliation affiliation, Role role) {
    public boolean isAdmin() {
      return affiliation.isAtLeast(Affiliation.ADMIN);
    }

    public boolean isModerator() {
      return role == Role.MODERATOR;
    }
  }

  /// Whether `actor` may give `target` a role.
  ///
  /// @param self whether both are the same user
  public static @Nullable ErrorCondition role(
      Privileges actor, Privileges target, Role wanted, boolean self) {
    if (!actor.isModerator() && !actor.isAdmin()) {
      return ErrorCondition.FORBIDDEN;
    }
    return switch (wanted) {
      case NONE -> kick(actor, target, self);
      case VISITOR, PARTICIPANT -> voice(actor, target, wanted);
      case MODERATOR -> actor.isAdmin() ? null : ErrorCondition.FORBIDDEN;
    };
  }

  /// Kicking an occupant (section 8.2).
  private static @Nullable ErrorCondition kick(Privileges actor, Privileges target, boolean self) {
    if (!actor.isModerator()) {
      return ErrorCondition.FORBIDDEN;
    }
    boolean higher = target.affiliation().compareTo(actor.affiliation()) > 0;
    boolean equal = target.isModerator() && !actor.isAdmin() && !self;
    return higher || equal ? ErrorCondition.NOT_ALLOWED : null;
  }

  /// Granting and revoking voice (sections 8.3, 8.4 and 9.7).
  private static @Nullable ErrorCondition voice(Privileges actor, Privileges target, Role wanted) {
    if (target.isAdmin()) {
      return ErrorCondition.NOT_ALLOWED;
    }
    if (target.isModerator()) {
      return actor.isAdmin() ? null : ErrorCondition.FORBIDDEN;
    }
    if (!actor.isModerator()) {
      return ErrorCondition.FORBIDDEN;
    }
    boolean higher = target.affiliation().compareTo(actor.affiliation()) > 0;
    return wanted == Role.VISITOR && higher ? ErrorCondition.NOT_ALLOWED : null;
  }

  /// Whether the requester may list the users with an affiliation (sections 9.2, 9.5, 10.5 and
  /// 10.8; reliability row 71). In a semi-anonymous room only admins and owners may see real JIDs.
  public static boolean maySee(Affiliation list, RoomConfig config, Privileges requester) {
    return switch (list) {
      case OUTCAST, NONE -> requester.isAdmin();
      case MEMBER -> requester.isAdmin() || maySeeAddresses(config, requester);
      case ADMIN, OWNER ->
          requester.affiliation() == Affiliation.OWNER
              || (requester.isAdmin() && config.nonAnonymous())
              || maySeeAddresses(config, requester);
    };
  }

  private static boolean maySeeAddresses(RoomConfig config, Privileges requester) {
    boolean absent = requester.role() == Role.NONE;
    if (!config.nonAnonymous()
        || (absent && !requester.affiliation().isAtLeast(Affiliation.MEMBER))) {
      return false;
    }
    Role role = absent ? config.roleOf(requester.affiliation()) : requester.role();
    return config.memberList().contains(role);
  }

  /// Whether the requester may list the occupants with a role, with their real JIDs (sections 8.5
  /// and 9.8).
  public static boolean maySee(Role list, Privileges requester) {
    return list == Role.MODERATOR ? requester.isAdmin() : requester.isModerator();
  }

  /// Whether `actor` may change a user's affiliation from `target` to `wanted`. Does not check that
  /// the room keeps an owner.
  ///
  /// @param self whether both are the same user
  public static @Nullable ErrorCondition affiliation(
      Affiliation actor, Affiliation target, Affiliation wanted, boolean self) {
    if (!actor.isAtLeast(Affiliation.ADMIN)) {
      return ErrorCondition.FORBIDDEN;
    }
    if (wanted == Affiliation.OUTCAST && self) {
      return ErrorCondition.CONFLICT;
    }
    if (actor == Affiliation.OWNER) {
      return null;
    }
    if (wanted.isAtLeast(Affiliation.ADMIN)) {
      return ErrorCondition.FORBIDDEN;
    }
    if (target.isAtLeast(Affiliation.ADMIN)) {
      return wanted == Affiliation.OUTCAST ? ErrorCondition.NOT_ALLOWED : ErrorCondition.FORBIDDEN;
    }
    return null;
  }
}
