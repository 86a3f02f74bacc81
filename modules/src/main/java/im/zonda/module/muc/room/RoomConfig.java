package im.zonda.module.muc.room;

import im.zonda.config.Rooms;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The configuration of a room (XEP-0045, section 10.2). Immutable.
///
/// @param name may be empty
/// @param description may be empty
/// @param lang the language of the discussion, or empty
/// @param contacts addresses of people to contact
/// @param persistent whether the room exists while it is empty
/// @param listed whether the room is public
/// @param moderated whether users without affiliation enter without voice
/// @param membersOnly whether only members may enter
/// @param password required to enter, or null
/// @param nonAnonymous whether all occupants see real JIDs; otherwise only moderators do
/// @param occupants maximum number of sessions; admins and owners may exceed it
/// @param changeSubject whether participants may change the subject
/// @param invites whether all occupants may invite others; otherwise only admins may
/// @param voiceRequests whether visitors may request voice
/// @param registration whether users may register as members
/// @param privateMessages who may send private messages
/// @param broadcast the roles whose presence is sent to all occupants
/// @param memberList the roles that may retrieve the lists of members, admins and owners
/// @param archive whether messages are archived
/// @param history maximum number of messages sent to users who enter
/// @param mentions whether users with a reserved nickname who are not in the room are notified when
///   they are mentioned (XEP-0452)
/// @param slowMode seconds that a user waits between two messages to the room (XEP-0500); 0 is none
/// @param space the URI of the publish-subscribe node that the room belongs to (XEP-0503), or empty
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
    boolean mentions,
    int slowMode,
    String space) {
  /// Who may send private messages.
  public enum PrivateMessages {
    ANYONE,
    PARTICIPANTS,
    MODERATORS,
    NONE
  }

  public RoomConfig {
    contacts = List.copyOf(contacts);
    broadcast = Set.copyOf(broadcast);
    memberList = Set.copyOf(memberList);
  }

  /// Returns the configuration of a new room.
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
        false,
        0,
        "");
  }

  /// The same for a persistent room.
  public RoomConfig persistently() {
    return with(name, true);
  }

  /// The same with another name.
  public RoomConfig withName(String other) {
    return with(other, persistent);
  }

  private RoomConfig with(String newName, boolean stays) {
    return new RoomConfig(
        newName,
        description,
        lang,
        contacts,
        stays,
        listed,
        moderated,
        membersOnly,
        password,
        nonAnonymous,
        occupants,
        changeSubject,
        invites,
        voiceRequests,
        registration,
        privateMessages,
        broadcast,
        memberList,
        archive,
        history,
        mentions,
        slowMode,
        space);
  }

  /// Returns the role of a user with that affiliation on entry (section 5.1.2).
  Role roleOf(Affiliation affiliation) {
    return switch (affiliation) {
      case OWNER, ADMIN -> Role.MODERATOR;
      case MEMBER -> Role.PARTICIPANT;
      case NONE -> moderated ? Role.VISITOR : Role.PARTICIPANT;
      case OUTCAST -> Role.NONE;
    };
  }

  /// Whether an occupant with that role may send private messages.
  public boolean mayWritePrivately(Role role) {
    return switch (privateMessages) {
      case ANYONE -> role.isAtLeast(Role.VISITOR);
      case PARTICIPANTS -> role.isAtLeast(Role.PARTICIPANT);
      case MODERATORS -> role.isAtLeast(Role.MODERATOR);
      case NONE -> false;
    };
  }
}
