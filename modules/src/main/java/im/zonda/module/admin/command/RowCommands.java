package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.admin.command.Row.Whose;
import im.zonda.module.admin.operation.AccountLists;
import im.zonda.module.admin.operation.NoticeOperations;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs the stages of the commands that are [Row]s.
final class RowCommands {
  /// The most addresses of a list, and how many are read at a time.
  private static final int MOST_LISTED = 2_000;

  private static final int AT_A_TIME = 500;
  private static final int MOST_ADDRESSES = 1_000;

  private RowCommands() {}

  static void run(AdminRun run, Row row) throws AdminForms.WrongValue {
    switch (row) {
      case Row.OnAccounts<?> accounts -> onAccounts(run, accounts);
      case Row.Count number -> number(run, number);
      case Row.Accounts accounts -> list(run, accounts);
      case Row.Text text -> text(run, text);
      case Row.Once once -> conclude(run, once.operation().apply(run));
      case Row.Addresses addresses -> addresses(run, addresses);
      case Row.Other other -> other.action().run(run);
    }
  }

  /// Completes a command with nothing to show, or says why nothing was done.
  static void conclude(AdminRun run, Outcome<?> outcome) {
    switch (outcome) {
      case Outcome.Done<?> _ -> run.stage().complete();
      case Outcome.Partly<?>(Record _, List<Outcome.Failure> failures) ->
          run.stage().complete(List.of(), failures.getFirst().reason());
      case Outcome.Refused<?>(var _, String text, var _) -> run.stage().fail(text);
      case Outcome.Started<?>(String job) ->
          run.stage().complete(List.of(), "It goes on as the job " + job + ".");
      case Outcome.Following<?> _ -> throw new IllegalStateException("no command follows");
    }
  }

  // ---- accounts

  /// A form that asks for accounts.
  private static DataForm accountsForm(Row.Head head, String label) {
    return AdminForms.ask(head.title(), head.instructions())
        .required("accountjids", "jid-multi", label, List.of())
        .build();
  }

  private static <R extends Record> void onAccounts(AdminRun run, Row.OnAccounts<R> row)
      throws AdminForms.WrongValue {
    CommandStage stage = run.stage();
    DataForm form = stage.form();
    if (form == null) {
      stage.ask(accountsForm(row.head(), row.label()));
      return;
    }
    List<Jid> chosen =
        AdminForms.accounts(form, "accountjids", run.host(), row.whose() == Whose.SESSIONS);
    if (row.whose() == Whose.OTHERS && chosen.contains(stage.from().bare())) {
      throw new AdminForms.WrongValue("This cannot be done with your own account.");
    }
    List<Element> payload = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    for (Jid account : chosen) {
      Outcome<? extends R> outcome = row.operation().apply(run, account);
      if (outcome instanceof Outcome.Done<? extends R> done) {
        Element shown = row.shown().apply(account, done.result());
        if (shown != null) {
          payload.add(shown);
        }
      } else {
        failures.add(new Failure(account, isMissing(outcome)));
      }
    }
    if (failures.isEmpty()) {
      stage.complete(payload, null);
    } else {
      stage.completeWithFailure(payload, text(row.sentence(), failures));
    }
  }

  /// An account with which something was not done.
  ///
  /// @param missing whether there is none
  private record Failure(Jid account, boolean missing) {}

  static boolean isMissing(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> refused && refused.reason() == Reason.NOT_FOUND;
  }

  private static String text(Row.Sentence sentence, List<Failure> failures) {
    return switch (sentence) {
      case LISTED ->
          "No such account: "
              + String.join(", ", failures.stream().map(each -> each.account.toString()).toList());
      case EACH ->
          String.join(
              " ", failures.stream().map(each -> sentence(each.account, each.missing)).toList());
    };
  }

  static String sentence(Jid account, boolean missing) {
    return missing
        ? "No such account or session: " + account + "."
        : "It could not be done for " + account + ".";
  }

  // ---- numbers and lists

  private static void number(AdminRun run, Row.Count row) throws AdminForms.WrongValue {
    AccountLists.Count count = count(run, row.state());
    run.stage()
        .complete(
            List.of(
                AdminForms.result()
                    .text(row.field(), row.label(), Long.toString(count.accounts()))
                    .build()
                    .toElement()),
            incomplete(count.complete()));
  }

  private static AccountLists.Count count(AdminRun run, AccountLists.State state)
      throws AdminForms.WrongValue {
    return run.result(AccountLists.COUNT, new AccountLists.Counted(run.domain(), state));
  }

  private static @Nullable String incomplete(boolean complete) {
    return complete ? null : "Not all nodes of the cluster have answered.";
  }

  private static void list(AdminRun run, Row.Accounts row) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      run.stage()
          .ask(
              AdminForms.maxItems(
                  "Requesting List of " + row.word() + " Users",
                  "Fill out this form to request the "
                      + row.word().toLowerCase(Locale.ROOT)
                      + " users of this service."));
      return;
    }
    int limit = limit(form);
    List<Jid> found = new ArrayList<>();
    AccountLists.Found page = page(run, row, null, limit);
    found.addAll(page.accounts());
    while (page.next() != null && found.size() < limit) {
      page = page(run, row, page.next(), limit - found.size());
      found.addAll(page.accounts());
    }
    List<String> values = found.stream().map(Jid::toString).toList();
    DataForm result =
        AdminForms.result().field(row.field(), "jid-multi", row.label(), values, Map.of()).build();
    run.stage().complete(List.of(result.toElement()), note(run, row, page, limit));
  }

  private static AccountLists.Found page(
      AdminRun run, Row.Accounts row, @Nullable Jid after, int wanted)
      throws AdminForms.WrongValue {
    int limit = Math.min(wanted, AT_A_TIME);
    return run.result(
        AccountLists.LIST, new AccountLists.Wanted(run.domain(), null, row.state(), after, limit));
  }

  /// A remark if these are not all.
  private static @Nullable String note(
      AdminRun run, Row.Accounts row, AccountLists.Found last, int limit)
      throws AdminForms.WrongValue {
    if (!last.complete()) {
      return incomplete(false);
    }
    if (last.next() == null) {
      return null;
    }
    return switch (row.state()) {
      case ANY, DISABLED -> "There are more than " + limit + ".";
      case ONLINE, ACTIVE, IDLE -> "There are " + count(run, row.state()).accounts() + ".";
    };
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

  // ---- texts and addresses

  private static void text(AdminRun run, Row.Text row) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      var present = row.present();
      String text =
          present == null
              ? null
              : run.result(present, new NoticeOperations.Chosen(run.domain())).text();
      List<String> lines = text == null ? List.of() : text.lines().toList();
      run.stage()
          .ask(
              AdminForms.ask(row.head().title(), row.head().instructions())
                  .required(row.field(), "text-multi", row.label(), lines)
                  .build());
      return;
    }
    String text = AdminForms.lines(form, row.field());
    if (text == null) {
      throw new AdminForms.WrongValue("Enter a text.");
    }
    if (text.length() > NoticeOperations.MOST_CHARS) {
      throw new AdminForms.WrongValue(
          "Enter at most " + NoticeOperations.MOST_CHARS + " characters.");
    }
    conclude(run, row.operation().run(run, text));
  }

  private static void addresses(AdminRun run, Row.Addresses row) throws AdminForms.WrongValue {
    DataForm form = run.stage().form();
    if (form == null) {
      Collection<Jid> present = row.present().of(run);
      run.stage()
          .ask(
              AdminForms.ask(row.head().title(), row.head().instructions())
                  .field(
                      row.field(),
                      "jid-multi",
                      row.label(),
                      present.stream().map(Jid::toString).toList(),
                      Map.of())
                  .build());
      return;
    }
    conclude(
        run, row.operation().apply(run, AdminForms.addresses(form, row.field(), MOST_ADDRESSES)));
  }
}
