package im.zonda.module.admin;

import im.zonda.account.AccountRegistration;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.OnlineAccounts;
import im.zonda.account.OnlineAccounts.Activity;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.AccountTasks.SessionInfo;
import im.zonda.module.admin.AccountTasks.Task;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.store.AccountAddresses;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Commands that say something of accounts: of single ones (XEP-0133, sections 4.8 to 4.10), their
/// numbers (4.13 to 4.17) and lists (4.18 to 4.22).
final class InfoCommands {
  /// The most addresses of a list, and how many are read at a time.
  private static final int MOST_LISTED = 2_000;

  private static final int AT_A_TIME = 1_000;
  private static final String ROSTER = "jabber:iq:roster";

  private final ModuleContext context;
  private final AccountTasks tasks;
  private final AccountRegistration registration;
  private final DisabledAccounts disabled;
  private final OnlineAccounts online;
  private final String domain;

  InfoCommands(ModuleContext context, AccountTasks tasks) {
    this.context = context;
    this.tasks = tasks;
    registration = context.port(AccountRegistration.class);
    disabled = context.port(DisabledAccounts.class);
    online = context.port(OnlineAccounts.class);
    domain = context.domain().domain();
  }

  void addTo(CommandGroup commands) {
    addAccounts(commands);
    addNumbers(commands);
    addLists(commands);
  }

  private void addAccounts(CommandGroup commands) {
    commands
        .add(
            "get-user-roster",
            "Get User Roster",
            () ->
                UserCommands.accountsForm(
                    "Getting a User's Roster",
                    "Fill out this form to get a user's roster.",
                    "The Jabber ID(s) for which to retrieve the roster"),
            this::rosters)
        .add(
            "get-user-lastlogin",
            "Get User Last Login Time",
            () ->
                UserCommands.accountsForm(
                    "Getting a User's Last Login Time",
                    "Fill out this form to get a user's last login time.",
                    "The Jabber ID(s) for which to retrieve the last login time"),
            this::lastLogins)
        .add(
            "user-stats",
            "Get User Statistics",
            () ->
                AdminForms.ask(
                        "Get User Statistics", "Fill out this form to gather user statistics.")
                    .required("accountjid", "jid-single", "The Jabber ID for statistics", List.of())
                    .build(),
            this::statistics);
  }

  private void addNumbers(CommandGroup commands) {
    commands
        .add(
            "get-registered-users-num",
            "Get Number of Registered Users",
            stage ->
                number(
                    stage,
                    "registeredusersnum",
                    "The number of registered users",
                    registration.count(domain),
                    null))
        .add(
            "get-disabled-users-num",
            "Get Number of Disabled Users",
            stage ->
                number(
                    stage,
                    "disabledusersnum",
                    "The number of disabled users",
                    countDisabled(),
                    null))
        .add(
            "get-online-users-num",
            "Get Number of Online Users",
            stage -> number(stage, Activity.ONLINE, "onlineusersnum", "The number of online users"))
        .add(
            "get-active-users-num",
            "Get Number of Active Users",
            stage -> number(stage, Activity.ACTIVE, "activeusersnum", "The number of active users"))
        .add(
            "get-idle-users-num",
            "Get Number of Idle Users",
            stage -> number(stage, Activity.IDLE, "idleusersnum", "The number of idle users"));
  }

  private void addLists(CommandGroup commands) {
    AccountAddresses addresses = context.port(AccountAddresses.class);
    commands
        .add(
            "get-registered-users-list",
            "Get List of Registered Users",
            () -> listForm("Registered", "registered"),
            (stage, form) ->
                list(stage, form, "registereduserjids", "The list of all users", addresses))
        .add(
            "get-disabled-users-list",
            "Get List of Disabled Users",
            () -> listForm("Disabled", "disabled"),
            (stage, form) ->
                list(
                    stage,
                    form,
                    "disableduserjids",
                    "The list of all disabled users",
                    disabled::list))
        .add(
            "get-online-users-list",
            "Get List of Online Users",
            () -> listForm("Online", "online"),
            (stage, form) ->
                list(
                    stage, form, Activity.ONLINE, "onlineuserjids", "The list of all online users"))
        .add(
            "get-active-users",
            "Get List of Active Users",
            () -> listForm("Active", "active"),
            (stage, form) ->
                list(stage, form, Activity.ACTIVE, "activeuserjids", "The list of active users"))
        .add(
            "get-idle-users",
            "Get List of Idle Users",
            () -> listForm("Idle", "idle"),
            // The registry has no field of its own for them; this is that of the XEP's example.
            (stage, form) ->
                list(stage, form, Activity.IDLE, "activeuserjids", "The list of idle users"));
  }

  // ---- single accounts

  private void rosters(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    List<Element> results = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (Jid account : AdminForms.accounts(form, "accountjids", context.domain(), false)) {
      if (registration.created(account) == null) {
        missing.add(account.toString());
      } else {
        results.add(roster(account));
      }
    }
    String text = "No such account: " + String.join(", ", missing);
    if (missing.isEmpty()) {
      stage.complete(results, null);
    } else {
      stage.completeWithFailure(results, text);
    }
  }

  /// The result with the roster of one account, which is not a field.
  private Element roster(Jid account) {
    Element.Builder query = Element.builder(ROSTER, "query");
    for (RosterItem item : context.port(RosterStore.class).load(account).items()) {
      if (!item.listed()) {
        continue;
      }
      Element.Builder contact =
          Element.builder(ROSTER, "item")
              .attribute("jid", item.jid().toString())
              .attribute("name", item.name())
              .attribute("subscription", item.subscription().value())
              .attribute("ask", item.ask() ? "subscribe" : null);
      item.groups().forEach(group -> contact.child("group", group));
      query.child(contact.build());
    }
    return accountResult(account).build().toElement().toBuilder().child(query.build()).build();
  }

  private static DataForm.Builder accountResult(Jid account) {
    return AdminForms.multi(
        AdminForms.result(),
        "accountjids",
        "jid-multi",
        "The Jabber ID of the account",
        List.of(account.toString()));
  }

  private void lastLogins(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    List<Jid> chosen = AdminForms.accounts(form, "accountjids", context.domain(), false);
    tasks.run(
        Task.DESCRIBE,
        chosen,
        stage.from(),
        results -> {
          List<Element> payload = new ArrayList<>();
          for (AccountTasks.Result result : results) {
            if (result.error() == null) {
              payload.add(
                  accountResult(result.account())
                      .text("lastlogin", "The last login time", dateTime(result.lastLogin()))
                      .build()
                      .toElement());
            }
          }
          UserCommands.conclude(stage, results, payload);
        });
  }

  /// In the form of XEP-0082.
  private static @Nullable String dateTime(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private void statistics(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Jid account = AdminForms.account(form, "accountjid", context.domain());
    int contacts =
        (int)
            context.port(RosterStore.class).load(account).items().stream()
                .filter(RosterItem::listed)
                .count();
    tasks.run(
        Task.DESCRIBE,
        List.of(account),
        stage.from(),
        results -> {
          List<String> resources =
              results.getFirst().sessions().stream().map(SessionInfo::resource).toList();
          DataForm.Builder statistics =
              AdminForms.result()
                  .text("rostersize", "Number of roster items", Integer.toString(contacts));
          // The registry says text-single; the XEP's example has a value for each.
          String type = resources.size() > 1 ? "text-multi" : "text-single";
          AdminForms.multi(statistics, "onlineresources", type, "Resources online", resources);
          statistics
              .text("stanzaspersecond", "Stanzas per second", results.getFirst().stanzasPerSecond())
              .text("loginsperminute", "Logins per minute", results.getFirst().loginsPerMinute());
          UserCommands.conclude(stage, results, List.of(statistics.build().toElement()));
        });
  }

  // ---- numbers

  private static void number(
      CommandStage stage, String field, String label, long number, @Nullable String note) {
    stage.complete(
        List.of(AdminForms.result().text(field, label, Long.toString(number)).build().toElement()),
        note);
  }

  private void number(CommandStage stage, Activity activity, String field, String label) {
    online.find(
        domain,
        activity,
        0,
        found -> number(stage, field, label, found.count(), incomplete(found)));
  }

  private static @Nullable String incomplete(OnlineAccounts.Found found) {
    return found.complete() ? null : "Not all nodes of the cluster have answered.";
  }

  private long countDisabled() {
    long count = 0;
    Jid last = null;
    while (true) {
      List<Jid> some = disabled.list(domain, last, AT_A_TIME);
      count += some.size();
      if (some.size() < AT_A_TIME) {
        return count;
      }
      last = some.getLast();
    }
  }

  // ---- lists

  private static DataForm listForm(String title, String kind) {
    return AdminForms.maxItems(
        "Requesting List of " + title + " Users",
        "Fill out this form to request the " + kind + " users of this service.");
  }

  /// How many items are wanted.
  private static int limit(DataForm form) throws AdminForms.WrongValue {
    String value = Objects.requireNonNullElse(AdminForms.text(form, "max_items"), "none");
    if (value.equals("none")) {
      return MOST_LISTED;
    }
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return Math.min(number, MOST_LISTED);
      }
    } catch (NumberFormatException e) {
      throw new AdminForms.WrongValue(value + " is not a number of items.");
    }
    throw new AdminForms.WrongValue(value + " is not a number of items.");
  }

  private void list(
      CommandStage stage, DataForm form, String field, String label, AccountAddresses source)
      throws AdminForms.WrongValue {
    int limit = limit(form);
    List<Jid> found = source.list(domain, null, limit + 1);
    boolean more = found.size() > limit;
    list(
        stage,
        field,
        label,
        found.subList(0, Math.min(limit, found.size())),
        more ? "There are more than " + limit + "." : null);
  }

  private void list(
      CommandStage stage, DataForm form, Activity activity, String field, String label)
      throws AdminForms.WrongValue {
    int limit = limit(form);
    online.find(
        domain,
        activity,
        limit,
        found -> {
          String note = incomplete(found);
          if (note == null && found.count() > limit) {
            note = "There are " + found.count() + ".";
          }
          list(stage, field, label, found.accounts(), note);
        });
  }

  private static void list(
      CommandStage stage, String field, String label, List<Jid> accounts, @Nullable String note) {
    List<String> values = accounts.stream().map(Jid::toString).toList();
    DataForm result =
        AdminForms.result().field(field, "jid-multi", label, values, Map.of()).build();
    stage.complete(List.of(result.toElement()), note);
  }
}
