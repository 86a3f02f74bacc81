package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.admin.command.Row.Head;
import im.zonda.module.admin.command.Row.Sentence;
import im.zonda.module.admin.command.Row.Whose;
import im.zonda.module.admin.operation.AccountOperations;
import im.zonda.module.admin.operation.AccountOperations.Chosen;
import im.zonda.module.admin.operation.RosterOperations;
import im.zonda.module.admin.operation.RosterOperations.Contact;
import im.zonda.module.forms.DataForm;
import im.zonda.operation.Outcome;
import im.zonda.operation.Secret;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows for single accounts, with fields of their own.
final class AccountRows {
  private static final String ROSTER = "jabber:iq:roster";

  /// Section 4.1.
  static final Row ADD = new Row.Other("add-user", "Add User", AccountRows::add);

  /// Section 4.7.
  static final Row CHANGE_PASSWORD =
      new Row.Other("change-user-password", "Change User Password", AccountRows::changePassword);

  private AccountRows() {}

  /// Sections 4.8 to 4.10.
  static List<Row> shown() {
    return List.of(
        new Row.OnAccounts<>(
            "get-user-roster",
            "Get User Roster",
            new Head("Getting a User's Roster", "Fill out this form to get a user's roster."),
            "The Jabber ID(s) for which to retrieve the roster",
            Whose.ALL,
            (run, account) -> run.run(RosterOperations.SHOW, new Chosen(account)),
            Sentence.LISTED,
            AccountRows::roster),
        new Row.OnAccounts<>(
            "get-user-lastlogin",
            "Get User Last Login Time",
            new Head(
                "Getting a User's Last Login Time",
                "Fill out this form to get a user's last login time."),
            "The Jabber ID(s) for which to retrieve the last login time",
            Whose.ALL,
            (run, account) -> run.run(AccountOperations.SHOW, new Chosen(account)),
            Sentence.EACH,
            (account, shown) ->
                accountResult(account)
                    .text("lastlogin", "The last login time", dateTime(shown.lastLogin()))
                    .build()
                    .toElement()),
        new Row.Other("user-stats", "Get User Statistics", AccountRows::statistics));
  }

  // ---- changes

  private static DataForm addForm() {
    DataForm.Builder form =
        AdminForms.ask("Adding a User", "Fill out this form to add a user.")
            .required(
                "accountjid", "jid-single", "The Jabber ID for the account to be added", List.of());
    AdminForms.multi(form, "password", "text-private", "The password for this account", List.of());
    AdminForms.multi(form, "password-verify", "text-private", "Retype password", List.of());
    return form.text("email", "Email address", null)
        .text("given_name", "Given name", null)
        .text("surname", "Family name", null)
        .build();
  }

  private static void add(AdminRun run) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      run.stage().ask(addForm());
      return;
    }
    Jid account = AdminForms.account(form, "accountjid", run.host());
    String password = password(form);
    DataForm.Field verify = form.field("password-verify");
    String repeated = verify == null ? null : verify.value();
    if (repeated != null && !repeated.equals(password)) {
      throw new AdminForms.WrongValue("Passwords do not match.");
    }
    RowCommands.conclude(
        run,
        run.run(
            AccountOperations.CREATE,
            new AccountOperations.New(
                account,
                new Secret(password),
                AdminForms.text(form, "email"),
                AdminForms.text(form, "given_name"),
                AdminForms.text(form, "surname"))));
  }

  private static String password(DataForm form) throws AdminForms.WrongValue {
    DataForm.Field field = form.field("password");
    String password = field == null ? null : field.value();
    if (password == null || password.isEmpty()) {
      throw new AdminForms.WrongValue("Enter a password.");
    }
    return password;
  }

  private static void changePassword(AdminRun run) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      run.stage()
          .ask(
              AdminForms.ask(
                      "Changing a User Password", "Fill out this form to change a user's password.")
                  .required("accountjid", "jid-single", "The Jabber ID for this account", List.of())
                  .required("password", "text-private", "The password for this account", List.of())
                  .build());
      return;
    }
    Jid account = AdminForms.account(form, "accountjid", run.host());
    Outcome<?> outcome =
        run.run(
            AccountOperations.PASSWORD,
            new AccountOperations.NewPassword(account, new Secret(password(form))));
    if (RowCommands.isMissing(outcome)) {
      run.stage().fail("No such account: " + account);
    } else {
      RowCommands.conclude(run, outcome);
    }
  }

  // ---- what is shown

  private static DataForm.Builder accountResult(Jid account) {
    return AdminForms.multi(
        AdminForms.result(),
        "accountjids",
        "jid-multi",
        "The Jabber ID of the account",
        List.of(account.toString()));
  }

  /// In the form of XEP-0082.
  private static @Nullable String dateTime(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// The result with the roster of one account, which is not a field.
  private static Element roster(Jid account, RosterOperations.Roster roster) {
    Element.Builder query = Element.builder(ROSTER, "query");
    for (Contact contact : roster.contacts()) {
      Element.Builder item =
          Element.builder(ROSTER, "item")
              .attribute("jid", contact.contact().toString())
              .attribute("name", contact.name())
              .attribute("subscription", contact.subscription())
              .attribute("ask", contact.asked() ? "subscribe" : null);
      contact.groups().forEach(group -> item.child("group", group));
      query.child(item.build());
    }
    return accountResult(account).build().toElement().toBuilder().child(query.build()).build();
  }

  private static void statistics(AdminRun run) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      run.stage()
          .ask(
              AdminForms.ask("Get User Statistics", "Fill out this form to gather user statistics.")
                  .required("accountjid", "jid-single", "The Jabber ID for statistics", List.of())
                  .build());
      return;
    }
    Jid account = AdminForms.account(form, "accountjid", run.host());
    Outcome<AccountOperations.Shown> outcome = run.run(AccountOperations.SHOW, new Chosen(account));
    if (outcome instanceof Outcome.Done<AccountOperations.Shown>(AccountOperations.Shown shown)) {
      run.stage().complete(statistics(shown));
    } else {
      run.stage().fail(RowCommands.sentence(account, RowCommands.isMissing(outcome)));
    }
  }

  private static Element statistics(AccountOperations.Shown shown) {
    DataForm.Builder statistics =
        AdminForms.result()
            .text("rostersize", "Number of roster items", Long.toString(shown.contacts()));
    // The registry says text-single; the XEP's example has a value for each.
    String type = shown.resources().size() > 1 ? "text-multi" : "text-single";
    AdminForms.multi(statistics, "onlineresources", type, "Resources online", shown.resources());
    return statistics
        .text("stanzaspersecond", "Stanzas per second", shown.stanzasPerSecond())
        .text("loginsperminute", "Logins per minute", shown.loginsPerMinute())
        .build()
        .toElement();
  }
}
