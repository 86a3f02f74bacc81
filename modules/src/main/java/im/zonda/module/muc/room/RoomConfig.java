package im.zonda.module.muc.room;

import im.zonda.config.Rooms;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the owners of a room decide about it (XEP-0045, section 10.2). Immutable.
///
/// @param name what people call it; may be empty
/// @param description what it is about; may be empty
/// @param lang the language spoken there, or empty
/// @param contacts addresses to turn to
/// @param persistent whether it stays when nobody is in it
/// @param listed whether everyone may find it
/// @param moderated whether those without a role of their own may not speak
/// @param membersOnly whether only members may enter
/// @param password what one must know to enter, or null
/// @param nonAnonymous whether everyone sees the true addresses; else only moderators do
/// @param occupants the most that may be in it; admins and owners may always enter
/// @param changeSubject whether participants may change the subject
/// @param invites whether everyone in it may invite; else only admins may
/// @param voiceRequests whether visitors may ask for voice
/// @param registration whether users may ask to become members
/// @param privateMessages who may send private messages
/// @param broadcast the roles whose presence is told to everyone
/// @param memberList the roles that may see the lists of members and staff
/// @param archive whether messages are archived
/// @param history messages that are told to those who enter
/// @param mentions whether people with a nickname in the room, who are not there, are told when
///   they are mentioned (XEP-0452)
public record RoomConfig(
    String name,
    String description,
    String lang,
    List<String> contacts,
    boolean persistent,
    boolean listed,
    boolean moderated,
    boolean membersOnly,
    @Nullable String password,
    boolean nonAnonymous,
    int occupants,
    boolean changeSubject,
    boolean invites,
    boolean voiceRequests,
    boolean registration,
    PrivateMessages privateMessages,
    Set<Role> broadcast,
    Set<Role> memberList,
    boolean archive,
    int history,
    boolean mentions) {
  /// Who may send private messages.
  public enum PrivateMessages {
    ANYONE,
    PARTICIPANTS,
    MODERATORS,
    NONE
  }

  /// Copies the collections.
  public RoomConfig {
    contacts = List.copyOf(contacts);
    broadcast = Set.copyOf(broadcast);
    memberList = Set.copyOf(memberList);
  }

  /// A new room's configuration.
  public static RoomConfig of(Rooms settings) {
    Set<Role> everyone = EnumSet.of(Role.MODERATOR, Role.PARTICIPANT, Role.VISITOR);
    return new RoomConfig(
        "",
        "",
        "",
        List.of(),
        settings.persistent(),
        settings.listed(),
        settings.moderated(),
        settings.membersOnly(),
        null,
        settings.nonAnonymous(),
        settings.occupants(),
        false,
        true,
        true,
        true,
        PrivateMessages.ANYONE,
        everyone,
        everyone,
        settings.archive(),
        settings.history(),
        false);
  }

  /// The role of someone with that affiliation who enters (section 5.1.2).
  Role roleOf(Affiliation affiliation) {
    return switch (affiliation) {
      case OWNER, ADMIN -> Role.MODERATOR;
      case MEMBER -> Role.PARTICIPANT;
      case NONE -> moderated ? Role.VISITOR : Role.PARTICIPANT;
      case OUTCAST -> Role.NONE;
    };
  }

  /// Whether an occupant of that role may send private messages.
  public boolean mayWritePrivately(Role role) {
    return switch (privateMessages) {
      case ANYONE -> role.isAtLeast(Role.VISITOR);
      case PARTICIPANTS -> role.isAtLeast(Role.PARTICIPANT);
      case MODERATORS -> role.isAtLeast(Role.MODERATOR);
      case NONE -> false;
    };
  }
}
