package im.zonda.module.admin;

import im.zonda.account.AccountRegistration;
import im.zonda.account.AccountRegistration.Result;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.AccountTasks.Task;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commands that change accounts (XEP-0133, sections 4.1 to 4.5 and 4.7).
final class UserCommands {
  private static final Logger LOG = LoggerFactory.getLogger(UserCommands.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String VCARD = "vcard-temp";

  private final ModuleContext context;
  private final AccountTasks tasks;
  private final AccountRegistration accounts;
  private final Jid host;

  UserCommands(ModuleContext context, AccountTasks tasks) {
    this.context = context;
    this.tasks = tasks;
    accounts = context.port(AccountRegistration.class);
    host = context.domain();
  }

  void addTo(CommandGroup commands) {
    commands
        .add("add-user", "Add User", UserCommands::addForm, this::add)
        .add(
            "delete-user",
            "Delete User",
            () ->
                accountsForm(
                    "Deleting a User",
                    "Fill out this form to delete a user.",
                    "The Jabber ID(s) to delete"),
            this::delete)
        .add(
            "disable-user",
            "Disable User",
            () ->
                accountsForm(
                    "Disabling a User",
                    "Fill out this form to disable a user.",
                    "The Jabber ID(s) to disable"),
            this::disable)
        .add(
            "reenable-user",
            "Re-Enable User",
            () ->
                accountsForm(
                    "Re-Enable a User",
                    "Fill out this form to re-enable a user.",
                    "The Jabber ID(s) to re-enable"),
            this::enable)
        .add(
            "end-user-session",
            "End User Session",
            () ->
                accountsForm(
                    "Ending a User Session",
                    "Fill out this form to end a user's session.",
                    "The Jabber ID(s) for which to end sessions"),
            this::endSessions)
        .add(
            "change-user-password",
            "Change User Password",
            UserCommands::passwordForm,
            this::changePassword);
  }

  // ---- forms

  /// A form that asks for accounts.
  static DataForm accountsForm(String title, String instructions, String label) {
    return AdminForms.ask(title, instructions)
        .required("accountjids", "jid-multi", label, List.of())
        .build();
  }

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

  private static DataForm passwordForm() {
    return AdminForms.ask(
            "Changing a User Password", "Fill out this form to change a user's password.")
        .required("accountjid", "jid-single", "The Jabber ID for this account", List.of())
        .required("password", "text-private", "The password for this account", List.of())
        .build();
  }

  // ---- accounts

  private void add(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Jid account = AdminForms.account(form, "accountjid", host);
    String password = password(form);
    DataForm.Field verify = form.field("password-verify");
    String repeated = verify == null ? null : verify.value();
    if (repeated != null && !repeated.equals(password)) {
      stage.fail("Passwords do not match.");
      return;
    }
    switch (accounts.add(account, password)) {
      case Result.AddressTaken() -> stage.fail(account + " exists already.");
      case Result.InvalidPassword(var _, String reason) -> stage.fail(reason);
      case Result.NoAccount(), Result.NoPermission() ->
          throw new IllegalStateException("a new account needs nothing");
      case Result.Done() -> {
        context.forget(account);
        log("account_created_by_admin", account, stage);
        keepNames(form, account, note -> stage.complete(List.of(), note));
      }
    }
  }

  /// Stores what else the form says of the user as its vCard, and says if that has failed.
  private void keepNames(DataForm form, Jid account, Consumer<@Nullable String> done) {
    String email = AdminForms.text(form, "email");
    String given = AdminForms.text(form, "given_name");
    String surname = AdminForms.text(form, "surname");
    if (email == null && given == null && surname == null) {
      done.accept(null);
      return;
    }
    Element.Builder vcard = Element.builder(VCARD, "vCard");
    if (given != null || surname != null) {
      String full =
          (given == null ? "" : given)
              + (given == null || surname == null ? "" : " ")
              + (surname == null ? "" : surname);
      Element.Builder name = Element.builder(VCARD, "N");
      if (surname != null) {
        name.child("FAMILY", surname);
      }
      if (given != null) {
        name.child("GIVEN", given);
      }
      vcard.child("FN", full).child(name.build());
    }
    if (email != null) {
      vcard.child(Element.builder(VCARD, "EMAIL").child("USERID", email).build());
    }
    Iq request = Iq.of(Iq.Type.SET, account, account, context.ids().next(), vcard.build());
    context
        .port(ExternalComponents.class)
        .request(
            request,
            account,
            PATIENCE,
            answer ->
                done.accept(
                    answer.isError() ? "The names could not be stored in the vCard." : null));
  }

  private static String password(DataForm form) throws AdminForms.WrongValue {
    DataForm.Field field = form.field("password");
    String password = field == null ? null : field.value();
    if (password == null || password.isEmpty()) {
      throw new AdminForms.WrongValue("Enter a password.");
    }
    return password;
  }

  private void delete(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    List<Jid> chosen = others(stage, form);
    List<String> missing = new ArrayList<>();
    for (Jid account : chosen) {
      if (accounts.remove(account) instanceof Result.Done) {
        log("account_removed_by_admin", account, stage);
        context.forget(account);
      } else {
        missing.add(account.toString());
      }
    }
    if (missing.isEmpty()) {
      stage.complete();
    } else {
      stage.completeWithFailure(List.of(), "No such account: " + String.join(", ", missing));
    }
  }

  private void disable(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    run(stage, Task.DISABLE, others(stage, form), "account_disabled");
  }

  private void enable(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    run(
        stage,
        Task.ENABLE,
        AdminForms.accounts(form, "accountjids", host, false),
        "account_enabled");
  }

  private void endSessions(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    run(
        stage,
        Task.END_SESSIONS,
        AdminForms.accounts(form, "accountjids", host, true),
        "sessions_ended_by_admin");
  }

  /// The accounts of the form, which may not be the administrator's own.
  private List<Jid> others(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    List<Jid> accounts = AdminForms.accounts(form, "accountjids", host, false);
    if (accounts.contains(stage.from().bare())) {
      throw new AdminForms.WrongValue("This cannot be done with your own account.");
    }
    return accounts;
  }

  private void run(CommandStage stage, Task task, List<Jid> chosen, String event) {
    tasks.run(
        task,
        chosen,
        stage.from(),
        results -> {
          results.stream()
              .filter(each -> each.error() == null)
              .forEach(each -> log(event, each.account(), stage));
          conclude(stage, results, List.of());
        });
  }

  /// Completes a command, with a remark on what could not be done.
  static void conclude(
      CommandStage stage, List<AccountTasks.Result> results, List<Element> payload) {
    String failures =
        AccountTasks.failures(
            results,
            (account, error) ->
                error == ErrorCondition.ITEM_NOT_FOUND
                    ? "No such account or session: " + account + "."
                    : "It could not be done for " + account + ".");
    if (failures == null) {
      stage.complete(payload, null);
    } else {
      stage.completeWithFailure(payload, failures);
    }
  }

  private void changePassword(CommandStage stage, DataForm form) throws AdminForms.WrongValue {
    Jid account = AdminForms.account(form, "accountjid", host);
    switch (accounts.setPassword(account, password(form))) {
      case Result.InvalidPassword(var _, String reason) -> stage.fail(reason);
      case Result.NoAccount _, Result.AddressTaken _, Result.NoPermission _ ->
          stage.fail("No such account: " + account);
      case Result.Done() -> {
        log("password_changed_by_admin", account, stage);
        stage.complete();
      }
    }
  }

  private static void log(String event, Jid account, CommandStage stage) {
    LOG.atInfo().addKeyValue("jid", account).addKeyValue("by", stage.from()).log(event);
  }
}
