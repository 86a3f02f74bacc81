package im.zonda.console.page;

import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Addresses of pages.
public final class Places {
  /// The folder of all pages.
  public static final String FOLDER = "/admin/";

  /// The folder of the pages of operations.
  public static final String DO = FOLDER + "do/";

  /// The page of the first steps.
  public static final String START = FOLDER + "start";

  /// The page of the cluster.
  static final String CLUSTER = FOLDER + "cluster";

  /// The page of the log.
  static final String LOG = FOLDER + "log";

  /// The page with what is traced.
  static final String TRACES = FOLDER + "traces";

  /// Where pages of charts ask for what is new.
  static final String LIVE_CHARTS = FOLDER + "live/charts";

  /// Where the log asks for what is new.
  static final String LIVE_LOG = FOLDER + "live/log";

  /// The parameter of a page of an operation with the page to which the reader goes back.
  static final String BACK = "back";

  /// The page of an account.
  static final String PERSON = FOLDER + "person";

  /// The page of a room.
  static final String ROOM = FOLDER + "room";

  /// The page of a plugin.
  public static final String PLUGIN = FOLDER + "plugin";

  /// The page by which plugins are added.
  public static final String PLUGIN_ADD = FOLDER + "plugin-add";

  /// The pages of operations that have one of their own.
  private static final Map<String, String> OWN =
      Map.of(
          "account.list", FOLDER + "people",
          "config.set", FOLDER + "setting",
          "invitation.create", FOLDER + "invite",
          "plugin.add", PLUGIN_ADD,
          "plugin.show", PLUGIN);

  private static final List<String> ACCOUNTS =
      List.of("account", "reported", "reporter", "inviter", "creator", "owners", "user");

  private Places() {}

  /// The page about a value of a component of that name; null if there is none.
  static @Nullable String of(String component, String value) {
    if (component.equals("plugin") && !value.isEmpty()) {
      return Desk.url(PLUGIN, Map.of("plugin", value));
    }
    if (value.isEmpty() || value.indexOf('@') <= 0) {
      return null;
    }
    if (component.equals("room")) {
      return Desk.url(ROOM, Map.of("room", value));
    }
    return ACCOUNTS.contains(component) && !value.contains(", ") ? person(value) : null;
  }

  /// The page of an account.
  static String person(String address) {
    return Desk.url(PERSON, Map.of("account", address));
  }

  /// The page of an operation, with values for its input.
  ///
  /// @param back where the reader goes afterwards
  static String operation(Operation<?, ?> operation, Map<String, String> given, String back) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Shape.Component component : operation.parameters()) {
      String value = given.get(component.name());
      if (value != null) {
        all.put(component.name(), value);
      }
    }
    all.put(BACK, back);
    return Desk.url(OWN.getOrDefault(operation.name(), DO + operation.name()), all);
  }

  /// An address of a page of the console; the first page if it is another one.
  static String ownPage(String address) {
    return address.matches("/admin/[A-Za-z0-9?=&%.,_+*/-]*") && !address.contains("//")
        ? address
        : FOLDER;
  }
}
