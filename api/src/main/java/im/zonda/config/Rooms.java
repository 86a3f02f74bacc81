package im.zonda.config;

import java.util.List;

/// Group chat (XEP-0045): the room service of a virtual host.
public record Rooms(
    @Setting("the room service's domain is this, a dot, and the host's domain") String prefix,
    @Setting("who may make rooms: everyone, the host's own accounts, or its room admins")
        Creation creation,
    @Setting("bare addresses of those who own every room, such as `juliet@example.org`")
        List<String> admins,
    @Setting("whether a new room stays when nobody is in it") boolean persistent,
    @Setting("whether everyone may find a new room") boolean listed,
    @Setting("whether only members may enter a new room") boolean membersOnly,
    @Setting("whether those without a role of their own may not speak in a new room")
        boolean moderated,
    @Setting("who sees the true addresses in a new room: everyone, or moderators only")
        boolean nonAnonymous,
    @Setting("whether the messages of a new room are archived (XEP-0313)") boolean archive,
    @Setting(value = "messages that a room remembers for those who enter", max = 1_000) int history,
    @Setting(value = "occupants of one room", min = 1) int occupants,
    @Setting(value = "rooms that one account may create, configured or not", min = 1)
        int roomsPerAccount,
    @Setting(value = "affiliations that one room keeps", min = 1) int affiliations,
    @Setting(
            value =
                "messages that one occupant may send in ten seconds; further ones are refused; 0 is"
                    + " no limit")
        int messageRate,
    @Setting(
            value =
                "entries, changes of presence and of nickname that one occupant may make in ten"
                    + " seconds; more are delayed, and ten times as many refused; 0 is no limit")
        int presenceRate,
    @Setting(
            value =
                "occupants above which a room tells the presence of those without a role of their"
                    + " own to nobody but moderators; 0 is never")
        int quietAbove) {
  /// Copies the list.
  public Rooms {
    admins = List.copyOf(admins);
  }

  /// Who may make rooms.
  public enum Creation {
    EVERYONE,
    ACCOUNTS,
    ADMINS
  }

  /// Rooms for the accounts of the host, temporary and public if nobody says otherwise.
  public static final Rooms DEFAULTS =
      new Rooms(
          "rooms",
          Creation.ACCOUNTS,
          List.of(),
          false,
          true,
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
          1_000);
}
