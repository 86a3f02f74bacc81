package im.zonda.module.muc.home;

import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomConfig.PrivateMessages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The room configuration as a data form (XEP-0045, sections 10.1.3, 10.2 and 15.5.3), for owners
/// and for the store.
public final class RoomConfigForm {
  public static final String KIND = "http://jabber.org/protocol/muc#roomconfig";
  public static final String CONTACTS = "muc#roominfo_contactjid";
  private static final String P = "muc#roomconfig_";
  private static final int MAX_TEXT = 4_096;
  private static final int MAX_HISTORY = 1_000;
  private static final int MAX_CONTACTS = 20;
  private static final String SLOW_MODE = P + "slow_mode_duration";
  private static final String PERSISTENT = P + "persistentroom";
  private static final String SPACE = P + "pubsub";
  private static final int MAX_SLOW_MODE = 86_400;
  private static final List<Integer> USUAL_SIZES =
      List.of(10, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000);

  private RoomConfigForm() {}

  /// A submitted form has an invalid value. The message names the field.
  public static final class BadFormException extends Exception {
    private static final long serialVersionUID = 1;

    public BadFormException(String message) {
      super(message);
    }
  }

  /// Builds a form of that type.
  ///
  /// @param mostOccupants the service's limit of occupants
  public static DataForm.Builder write(RoomConfig config, String type, int mostOccupants) {
    DataForm.Builder form = DataForm.builder(type, KIND);
    form.text(P + "roomname", "Natural-Language Room Name", config.name())
        .text(P + "roomdesc", "Short Description of Room", config.description())
        .text(P + "lang", "Natural Language for Room Discussions", config.lang())
        .field(CONTACTS, "jid-multi", "Contact Addresses", config.contacts(), Map.of())
        .bool(PERSISTENT, "Make Room Persistent?", config.persistent())
        .bool(P + "publicroom", "Make Room Publicly Searchable?", config.listed())
        .bool(P + "membersonly", "Make Room Members-Only?", config.membersOnly())
        .bool(P + "moderatedroom", "Make Room Moderated?", config.moderated())
        .bool(P + "passwordprotectedroom", "Password Required to Enter?", config.password() != null)
        .field(
            P + "roomsecret",
            "text-private",
            "Password",
            config.password() == null ? List.of() : List.of(config.password()),
            Map.of())
        .listSingle(
            P + "whois",
            "Who May Discover Real JIDs?",
            config.nonAnonymous() ? "anyone" : "moderators",
            options("moderators", "Moderators Only", "anyone", "Anyone"))
        .listSingle(
            P + "maxusers",
            "Maximum Number of Occupants",
            Integer.toString(config.occupants()),
            sizes(config.occupants(), mostOccupants))
        .bool(P + "changesubject", "Allow Occupants to Change Subject?", config.changeSubject())
        .bool(P + "allowinvites", "Allow Occupants to Invite Others?", config.invites())
        .listSingle(
            P + "allowpm",
            "Who Can Send Private Messages?",
            lower(config.privateMessages()),
            options(
                "anyone", "Anyone",
                "participants", "Anyone with Voice",
                "moderators", "Moderators Only",
                "none", "Nobody"))
        .bool(P + "allowvoicerequests", "Allow Visitors to Request Voice?", config.voiceRequests())
        .bool(P + "allowregistration", "Allow Users to Register as Members?", config.registration())
        .listMulti(
            P + "presencebroadcast",
            "Roles for which Presence is Broadcasted",
            roles(config.broadcast()),
            ROLES)
        .listMulti(
            P + "getmemberlist",
            "Roles that May Retrieve Member List",
            roles(config.memberList()),
            ROLES);
    return writeMessages(form, config);
  }

  private static DataForm.Builder writeMessages(DataForm.Builder form, RoomConfig config) {
    return form.bool(P + "enablelogging", "Archive Messages?", config.archive())
        .field(
            "muc#maxhistoryfetch",
            "text-single",
            "Maximum Number of History Messages Returned by Room",
            List.of(Integer.toString(config.history())),
            Map.of())
        .bool(P + "forwardmentions", "Notify Registered Users of Mentions?", config.mentions())
        .integer(
            SLOW_MODE,
            "Slow Mode",
            "Seconds that a user has to wait between two messages; 0 disables slow mode",
            config.slowMode(),
            0)
        .text(SPACE, "XMPP URI of Associated Publish-Subscribe Node", config.space());
  }

  private static final Map<String, String> ROLES =
      options("moderator", "Moderator", "participant", "Participant", "visitor", "Visitor");

  private static Map<String, String> options(String... pairs) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      options.put(pairs[i], pairs[i + 1]);
    }
    return Collections.unmodifiableMap(options);
  }

  /// The options for the number of occupants: usual sizes, the room's own, and the service's limit.
  /// The value of a list must be one of its options.
  private static Map<String, String> sizes(int now, int most) {
    TreeSet<Integer> sizes = new TreeSet<>(USUAL_SIZES);
    sizes.removeIf(size -> size > most);
    sizes.addAll(List.of(now, most));
    Map<String, String> options = new LinkedHashMap<>();
    sizes.forEach(size -> options.put(size.toString(), size.toString()));
    return options;
  }

  private static List<String> roles(Set<Role> roles) {
    List<String> values = new ArrayList<>();
    for (String value : ROLES.keySet()) {
      if (roles.contains(Role.of(value))) {
        values.add(value);
      }
    }
    return values;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// Reads a submitted form; fields that it does not have keep their value.
  ///
  /// @param mostOccupants the service's limit of occupants
  /// @throws BadFormException if a value is invalid
  public static RoomConfig read(DataForm form, RoomConfig now, int mostOccupants)
      throws BadFormException {
    return new RoomConfig(
        text(form, P + "roomname", now.name()),
        text(form, P + "roomdesc", now.description()),
        text(form, P + "lang", now.lang()),
        contacts(form, now.contacts()),
        bool(form, PERSISTENT, now.persistent()),
        bool(form, P + "publicroom", now.listed()),
        bool(form, P + "moderatedroom", now.moderated()),
        bool(form, P + "membersonly", now.membersOnly()),
        password(form, now.password()),
        whois(form, now.nonAnonymous()),
        number(form, P + "maxusers", now.occupants(), mostOccupants),
        bool(form, P + "changesubject", now.changeSubject()),
        bool(form, P + "allowinvites", now.invites()),
        bool(form, P + "allowvoicerequests", now.voiceRequests()),
        bool(form, P + "allowregistration", now.registration()),
        privateMessages(form, now.privateMessages()),
        roles(form, P + "presencebroadcast", now.broadcast()),
        roles(form, P + "getmemberlist", now.memberList()),
        bool(form, P + "enablelogging", bool(form, P + "enablearchiving", now.archive())),
        number(form, "muc#maxhistoryfetch", now.history(), MAX_HISTORY),
        bool(form, P + "forwardmentions", now.mentions()),
        slowMode(form, now.slowMode()),
        space(form, now.space()));
  }

  /// Whether a submitted form says that the room is to be persistent, rather than leaves it to the
  /// defaults.
  public static boolean asksForPersistence(DataForm form) {
    Field field = form.field(PERSISTENT);
    return field != null && Boolean.TRUE.equals(field.bool());
  }

  private static String text(DataForm form, String name, String now) throws BadFormException {
    Field field = form.field(name);
    String value = field == null ? now : field.value();
    if (value == null) {
      return "";
    }
    if (value.length() > MAX_TEXT) {
      throw new BadFormException(name + " is too long; enter at most " + MAX_TEXT + " characters");
    }
    return value;
  }

  private static List<String> contacts(DataForm form, List<String> now) throws BadFormException {
    Field field = form.field(CONTACTS);
    if (field != null && field.values().size() > MAX_CONTACTS) {
      throw new BadFormException("too many contact addresses; enter at most " + MAX_CONTACTS);
    }
    return field == null ? now : field.values();
  }

  private static boolean bool(DataForm form, String name, boolean now) throws BadFormException {
    Field field = form.field(name);
    if (field == null) {
      return now;
    }
    Boolean value = field.bool();
    if (value == null) {
      throw new BadFormException(name + " is not a boolean; use true or false");
    }
    return value;
  }

  /// An empty password is an error if one is required: it would open the room.
  private static @Nullable String password(DataForm form, @Nullable String now)
      throws BadFormException {
    boolean wanted = bool(form, P + "passwordprotectedroom", now != null);
    String secret = text(form, P + "roomsecret", now == null ? "" : now);
    if (wanted && secret.isEmpty()) {
      throw new BadFormException(
          P + "roomsecret is empty; enter a password, or do not require one");
    }
    return wanted ? secret : null;
  }

  private static boolean whois(DataForm form, boolean now) throws BadFormException {
    Field field = form.field(P + "whois");
    return switch (field == null ? (now ? "anyone" : "moderators") : field.value()) {
      case "anyone" -> true;
      case "moderators" -> false;
      case null, default ->
          throw new BadFormException(P + "whois has an unknown value; use moderators or anyone");
    };
  }

  private static int number(DataForm form, String name, int now, int most) throws BadFormException {
    Field field = form.field(name);
    String value = field == null ? Integer.toString(now) : field.value();
    if (value == null || value.isEmpty() || value.equals("none")) {
      return most;
    }
    try {
      int number = Integer.parseInt(value);
      if (number < 0) {
        throw new BadFormException(name + " is negative; use 0 or more");
      }
      return Math.min(number, most);
    } catch (NumberFormatException e) {
      throw new BadFormException(name + " is not a number");
    }
  }

  /// Without a value, slow mode is off (XEP-0500).
  private static int slowMode(DataForm form, int now) throws BadFormException {
    Field field = form.field(SLOW_MODE);
    String value = field == null ? Integer.toString(now) : field.value();
    if (value == null || value.isBlank()) {
      return 0;
    }
    try {
      int seconds = Integer.parseInt(value.strip());
      if (seconds >= 0 && seconds <= MAX_SLOW_MODE) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // Reported like a number that is out of range.
    }
    throw new BadFormException(
        SLOW_MODE + " is not a number of seconds from 0 to " + MAX_SLOW_MODE);
  }

  private static String space(DataForm form, String now) throws BadFormException {
    String value = text(form, SPACE, now);
    if (!value.isEmpty() && !value.startsWith("xmpp:")) {
      throw new BadFormException(SPACE + " is not the URI of a node; begin it with xmpp:");
    }
    return value;
  }

  private static PrivateMessages privateMessages(DataForm form, PrivateMessages now)
      throws BadFormException {
    Field field = form.field(P + "allowpm");
    return switch (field == null ? lower(now) : field.value()) {
      case "anyone" -> PrivateMessages.ANYONE;
      case "participants" -> PrivateMessages.PARTICIPANTS;
      case "moderators" -> PrivateMessages.MODERATORS;
      case "none" -> PrivateMessages.NONE;
      case null, default ->
          throw new BadFormException(
              P + "allowpm has an unknown value; use anyone, participants, moderators or none");
    };
  }

  private static Set<Role> roles(DataForm form, String name, Set<Role> now)
      throws BadFormException {
    Field field = form.field(name);
    if (field == null) {
      return now;
    }
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String value : field.values()) {
      Role role = Role.of(value);
      if (role == null || role == Role.NONE) {
        throw new BadFormException(
            name + " has an unknown role; use moderator, participant or visitor");
      }
      roles.add(role);
    }
    return roles;
  }
}
