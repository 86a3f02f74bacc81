package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.forms.DataForm;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The forms of XEP-0133: their fields as in its registry, and what is read of submitted ones.
final class AdminForms {
  static final String NAMESPACE = "http://jabber.org/protocol/admin";

  /// The most accounts that one command is for.
  static final int MOST_ACCOUNTS = 100;

  private AdminForms() {}

  /// A submitted value that cannot be used; the message is for the administrator.
  static final class WrongValue extends Exception {
    private static final long serialVersionUID = 1;

    WrongValue(String message) {
      super(message, null, false, false);
    }
  }

  /// The node of a command.
  static String node(String name) {
    return NAMESPACE + "#" + name;
  }

  /// Starts a form to fill in.
  static DataForm.Builder ask(String title, String instructions) {
    return DataForm.builder("form", NAMESPACE).title(title).instructions(instructions);
  }

  /// Starts a result.
  static DataForm.Builder result() {
    return DataForm.builder("result", NAMESPACE);
  }

  /// Adds a field with many values to a form.
  static DataForm.Builder multi(
      DataForm.Builder form, String name, String type, String label, List<String> values) {
    return form.field(name, type, label, values, Map.of());
  }

  /// A field with the choices of how many items to show.
  static DataForm maxItems(String title, String instructions) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String number : List.of("25", "50", "75", "100", "150", "200")) {
      options.put(number, number);
    }
    options.put("none", "None");
    return ask(title, instructions)
        .listSingle("max_items", "Maximum number of items to show", null, options)
        .build();
  }

  /// The choices of how long to wait.
  static Map<String, String> delays() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("30", "30 seconds");
    options.put("60", "60 seconds");
    options.put("90", "90 seconds");
    for (int minutes = 2; minutes <= 5; minutes++) {
      options.put(Integer.toString(60 * minutes), minutes + " minutes");
    }
    return options;
  }

  // ---- submitted forms

  /// A text without white space around it; null if there is none.
  static @Nullable String text(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String value = field == null ? null : field.value();
    return value == null || value.isBlank() ? null : value.strip();
  }

  /// The lines of a field; null if all are blank.
  static @Nullable String lines(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String text = field == null ? "" : String.join("\n", field.values());
    return text.isBlank() ? null : text;
  }

  /// The bare address of an account of the host.
  static Jid account(DataForm form, String name, Jid host) throws WrongValue {
    String value = text(form, name);
    if (value == null) {
      throw new WrongValue("Enter the address of an account.");
    }
    Jid account = localAddress(value, host);
    if (!account.isBare()) {
      throw new WrongValue(value + " is not the address of an account.");
    }
    return account;
  }

  /// The addresses of accounts of the host, or of their sessions.
  ///
  /// @param resources whether the address of a session is meant as such; otherwise its account is
  static List<Jid> accounts(DataForm form, String name, Jid host, boolean resources)
      throws WrongValue {
    DataForm.Field field = form.field(name);
    Set<Jid> accounts = new LinkedHashSet<>();
    for (String value : field == null ? List.<String>of() : field.values()) {
      if (!value.isBlank()) {
        Jid account = localAddress(value, host);
        accounts.add(resources ? account : account.bare());
      }
    }
    if (accounts.isEmpty()) {
      throw new WrongValue("Enter the address of an account.");
    }
    if (accounts.size() > MOST_ACCOUNTS) {
      throw new WrongValue("Enter at most " + MOST_ACCOUNTS + " accounts at a time.");
    }
    return List.copyOf(accounts);
  }

  private static Jid localAddress(String value, Jid host) throws WrongValue {
    Jid address = address(value);
    if (address.local() == null || !address.domain().equals(host.domain())) {
      throw new WrongValue(value + " is not an account of " + host + ".");
    }
    return address;
  }

  /// Any addresses.
  ///
  /// @param most the most of them
  static Set<Jid> addresses(DataForm form, String name, int most) throws WrongValue {
    DataForm.Field field = form.field(name);
    Set<Jid> addresses = new LinkedHashSet<>();
    for (String value : field == null ? List.<String>of() : field.values()) {
      if (!value.isBlank()) {
        addresses.add(address(value));
      }
    }
    if (addresses.size() > most) {
      throw new WrongValue("Enter at most " + most + " addresses.");
    }
    return addresses;
  }

  private static Jid address(String value) throws WrongValue {
    try {
      return Jid.of(value.strip());
    } catch (JidFormatException e) {
      throw new WrongValue(value + " is not an address.");
    }
  }
}
