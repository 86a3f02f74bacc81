package im.zonda.module.muc.room;

import im.zonda.stanza.ErrorCondition;
import org.jspecify.annotations.Nullable;

/// Who may change what others are in a room (XEP-0045, sections 5.1.3, 5.2.3, 8, 9 and 10). Every
/// answer is the error that the asker gets, or null if the change may be made.
///
/// What the text leaves open: someone may kick oneself, and someone may lose voice to a moderator
/// of the same affiliation (section 8.4 has two sentences that contradict each other; this is what
/// section 8.5 and the table say).
public final class Permissions {
  private Permissions() {}

  /// What someone is to a room and in it; the role is [Role#NONE] if that user is not in it.
  public record Standing(Affiliation affiliation, Role role) {
    public boolean isAdmin() {
      return affiliation.isAtLeast(Affiliation.ADMIN);
    }

    public boolean isModerator() {
      return role == Role.MODERATOR;
    }
  }

  /// Whether `actor` may give `target` that role.
  ///
  /// @param self whether both are one user
  public static @Nullable ErrorCondition role(
      Standing actor, Standing target, Role wanted, boolean self) {
    if (!actor.isModerator() && !actor.isAdmin()) {
      return ErrorCondition.FORBIDDEN;
    }
    return switch (wanted) {
      case NONE -> kick(actor, target, self);
      case VISITOR, PARTICIPANT -> voice(actor, target, wanted);
      case MODERATOR -> actor.isAdmin() ? null : ErrorCondition.FORBIDDEN;
    };
  }

  /// Section 8.2.
  private static @Nullable ErrorCondition kick(Standing actor, Standing target, boolean self) {
    if (!actor.isModerator()) {
      return ErrorCondition.FORBIDDEN;
    }
    boolean higher = target.affiliation().compareTo(actor.affiliation()) > 0;
    boolean equal = target.isModerator() && !actor.isAdmin() && !self;
    return higher || equal ? ErrorCondition.NOT_ALLOWED : null;
  }

  /// Sections 8.3, 8.4 and 9.7.
  private static @Nullable ErrorCondition voice(Standing actor, Standing target, Role wanted) {
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

  /// Whether `asker` may see who has that affiliation (sections 9.2, 9.5, 10.5 and 10.8;
  /// reliability row 71). In a semi-anonymous room true addresses are nobody's business but the
  /// staff's.
  public static boolean maySee(Affiliation list, RoomConfig config, Standing asker) {
    return switch (list) {
      case OUTCAST, NONE -> asker.isAdmin();
      case MEMBER -> asker.isAdmin() || maySeeAddresses(config, asker);
      case ADMIN, OWNER ->
          asker.affiliation() == Affiliation.OWNER
              || (asker.isAdmin() && config.nonAnonymous())
              || maySeeAddresses(config, asker);
    };
  }

  private static boolean maySeeAddresses(RoomConfig config, Standing asker) {
    boolean absent = asker.role() == Role.NONE;
    if (!config.nonAnonymous() || (absent && !asker.affiliation().isAtLeast(Affiliation.MEMBER))) {
      return false;
    }
    Role role = absent ? config.roleOf(asker.affiliation()) : asker.role();
    return config.memberList().contains(role);
  }

  /// Whether `asker` may see the true addresses of all who have that role (sections 8.5 and 9.8).
  public static boolean maySee(Role list, Standing asker) {
    return list == Role.MODERATOR ? asker.isAdmin() : asker.isModerator();
  }

  /// Whether `actor` may give that affiliation to someone who is `target` now. That the room keeps
  /// an owner is for others to see to.
  ///
  /// @param self whether both are one user
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
