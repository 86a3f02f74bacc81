package im.zonda.module.muc.admin;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.home.RoomConfigForm;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The configuration form of a room for its owners, with the full lists of admins and owners
/// (XEP-0045, sections 10.1.3 and 10.2).
final class OwnerForm {
  private static final String ADMINS = "muc#roomconfig_roomadmins";
  private static final String OWNERS = "muc#roomconfig_roomowners";
  private static final String WHOIS = "muc#roomconfig_whois";
  private static final String LOGGING = "muc#roomconfig_enablelogging";
  private static final int LOGGING_ON = 170;
  private static final int LOGGING_OFF = 171;
  private static final int NON_ANONYMOUS = 172;
  private static final int SEMI_ANONYMOUS = 173;
  private static final int OTHER_CHANGE = 104;

  private OwnerForm() {}

  /// Builds the form with the current configuration.
  ///
  /// @param mostOccupants the service's limit of occupants
  static DataForm write(Room room, int mostOccupants) {
    return RoomConfigForm.write(room.config(), "form", mostOccupants)
        .title("Configuration for \"" + RoomName.of(room.jid(), "") + "\" Room")
        .instructions("To configure the room, please complete and submit this form.")
        .field(ADMINS, "jid-multi", "Room Admins", addressesWith(room, Affiliation.ADMIN), Map.of())
        .field(OWNERS, "jid-multi", "Room Owners", addressesWith(room, Affiliation.OWNER), Map.of())
        .build();
  }

  private static List<String> addressesWith(Room room, Affiliation affiliation) {
    return room.affiliations().with(affiliation).stream().map(Jid::toString).toList();
  }

  /// Finds the affiliations that a submitted form changes. A user who is missing from a list in the
  /// form loses that affiliation: a former owner becomes an admin, unless the form also has the
  /// list of admins; a former admin becomes a member of a members-only room, and has no affiliation
  /// otherwise (sections 10.2 and 10.7).
  ///
  /// @param config the configuration in the form
  /// @throws BadFormException if an address is not that of a user, or one of a guest
  static List<AffiliationChange> findAffiliationChanges(DataForm form, Room room, RoomConfig config)
      throws BadFormException {
    Set<Jid> admins = users(form, ADMINS);
    Set<Jid> owners = users(form, OWNERS);
    Affiliation rest = config.membersOnly() ? Affiliation.MEMBER : Affiliation.NONE;
    Map<Jid, Affiliation> wanted = new LinkedHashMap<>();
    if (admins != null) {
      room.affiliations().with(Affiliation.ADMIN).forEach(user -> wanted.put(user, rest));
      admins.forEach(user -> wanted.put(user, Affiliation.ADMIN));
    }
    for (Jid owner : room.affiliations().with(Affiliation.OWNER)) {
      if (owners == null || owners.contains(owner)) {
        wanted.remove(owner);
      } else if (admins == null || admins.contains(owner)) {
        wanted.put(owner, Affiliation.ADMIN);
      } else {
        wanted.put(owner, rest);
      }
    }
    if (owners != null) {
      owners.forEach(user -> wanted.put(user, Affiliation.OWNER));
    }
    return changes(room, wanted);
  }

  private static List<AffiliationChange> changes(Room room, Map<Jid, Affiliation> wanted)
      throws BadFormException {
    List<AffiliationChange> changes = new ArrayList<>();
    for (Map.Entry<Jid, Affiliation> each : wanted.entrySet()) {
      Jid user = each.getKey();
      Affiliation affiliation = each.getValue();
      Affiliations.Entry entry = room.affiliations().entry(user);
      if (entry == null || entry.affiliation() != affiliation) {
        if (affiliation.isAtLeast(Affiliation.ADMIN) && GuestAddress.isGuest(user)) {
          throw new BadFormException(user + " is a guest, who has no account to be affiliated");
        }
        String nick = affiliation == Affiliation.NONE ? null : room.affiliations().nickOf(user);
        changes.add(new AffiliationChange(user, affiliation, nick, null));
      }
    }
    return changes;
  }

  /// Checks that the contacts in a submitted form are addresses.
  ///
  /// @throws BadFormException if one is not
  static void checkContacts(DataForm form) throws BadFormException {
    Field field = form.field(RoomConfigForm.CONTACTS);
    for (String value : field == null ? List.<String>of() : field.values()) {
      try {
        Jid.of(value);
      } catch (JidFormatException e) {
        throw new BadFormException(RoomConfigForm.CONTACTS + " has a value that is not an address");
      }
    }
  }

  private static @Nullable Set<Jid> users(DataForm form, String name) throws BadFormException {
    Field field = form.field(name);
    if (field == null) {
      return null;
    }
    Set<Jid> users = new LinkedHashSet<>();
    for (String value : field.values()) {
      if (!value.isBlank()) {
        users.add(user(name, value.strip()));
      }
    }
    return users;
  }

  private static Jid user(String name, String address) throws BadFormException {
    try {
      Jid user = Jid.of(address).bare();
      if (user.local() != null) {
        return user;
      }
    } catch (JidFormatException e) {
      // Reported like an address without a localpart.
    }
    throw new BadFormException(name + " has a value that is not the address of a user");
  }

  /// Status codes that notify occupants of a changed configuration (section 10.2.1): one for each
  /// change that concerns privacy, and one for all other changes.
  static List<Integer> codes(RoomConfig before, RoomConfig after) {
    List<Integer> codes = new ArrayList<>(3);
    if (!others(before).equals(others(after))) {
      codes.add(OTHER_CHANGE);
    }
    if (before.archive() != after.archive()) {
      codes.add(after.archive() ? LOGGING_ON : LOGGING_OFF);
    }
    if (before.nonAnonymous() != after.nonAnonymous()) {
      codes.add(after.nonAnonymous() ? NON_ANONYMOUS : SEMI_ANONYMOUS);
    }
    return codes;
  }

  private static Map<String, Field> others(RoomConfig config) {
    Map<String, Field> fields =
        new LinkedHashMap<>(
            RoomConfigForm.write(config, "submit", config.occupants()).build().fields());
    fields.remove(WHOIS);
    fields.remove(LOGGING);
    return fields;
  }
}
