package im.zonda.config;

import im.zonda.config.annotation.Setting;
import java.time.Duration;
import java.util.List;

/// Group chat (XEP-0045): the room service of a virtual host.
public record Rooms(
    @Setting("prefix of the room service's domain: `rooms` gives `rooms.example.org`")
        String prefix,
    @Setting("who may create rooms: everyone, the accounts of the host, or its room" + " admins")
        Creation creation,
    @Setting("bare JIDs that are owners of every room, such as `juliet@example.org`")
        List<String> admins,
    @Setting(
            "whether new rooms are persistent: they stay when the last occupant leaves, once"
                + " someone has spoken or the owner has configured them")
        boolean persistent,
    @Setting("whether new rooms are public: listed by service discovery and on the start page")
        boolean listed,
    @Setting("whether new rooms are members-only") boolean membersOnly,
    @Setting("whether new rooms are moderated: only occupants with voice may speak")
        boolean moderated,
    @Setting("whether everyone may see real JIDs in new rooms; otherwise moderators" + " only")
        boolean nonAnonymous,
    @Setting("whether the messages of new rooms are archived (XEP-0313)") boolean archive,
    @Setting(value = "maximum number of history messages that a room keeps", max = 1_000)
        int history,
    @Setting(value = "maximum number of occupants of one room", min = 1) int occupants,
    @Setting(value = "maximum number of rooms that one account creates, configured or not", min = 1)
        int roomsPerAccount,
    @Setting(value = "maximum number of affiliations of one room", min = 1) int affiliations,
    @Setting(
            value =
                "messages that one occupant may send in ten seconds; further ones are"
                    + " rejected; 0 is no limit")
        int messageRate,
    @Setting(
            value =
                "presence stanzas (entering, presence and nickname changes) that one"
                    + " occupant may send in ten seconds; further ones are delayed, and above"
                    + " ten times the rate rejected; 0 is no limit")
        int presenceRate,
    @Setting(
            value =
                "number of occupants above which a room sends the presence of ordinary"
                    + " participants and visitors to moderators only; 0 is never")
        int quietAbove,
    @Setting(
            value =
                "time for which an administrator can restore a room that was destroyed, or that went"
                    + " with its last occupant; after it, or at once if it is 0, the room is erased"
                    + " with its archive",
            max = 31_536_000_000L)
        Duration restoreTime) {
  /// Copies the list.
  public Rooms {
    admins = List.copyOf(admins);
  }

  /// Who may create rooms.
  public enum Creation {
    EVERYONE,
    ACCOUNTS,
    ADMINS
  }

  /// Rooms for the accounts of the host, persistent and not public by default.
  public static final Rooms DEFAULTS =
      new Rooms(
          "rooms",
          Creation.ACCOUNTS,
          List.of(),
          true,
          false,
          false,
          false,
          false,
          true,
          50,
          20_000,
          1_000,
          20_000,
          200,
          50,
          1_000,
          Duration.ofDays(7));
}
