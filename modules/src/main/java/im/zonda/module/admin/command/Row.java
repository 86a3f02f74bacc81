package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.admin.operation.AccessOperations;
import im.zonda.module.admin.operation.AccountLists;
import im.zonda.module.admin.operation.NoticeOperations;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.xml.Element;
import java.util.Collection;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A command of XEP-0133: its name and title, its form, and the operation that it runs.
sealed interface Row {
  /// The name of the command in its node.
  String name();

  /// The name of the command for people.
  String title();

  /// The title of a form and what it says above its fields.
  record Head(String title, String instructions) {}

  /// One run of an operation for each of some accounts.
  ///
  /// @param label of the field with the accounts
  /// @param whose which accounts may be chosen
  /// @param operation what is done with one account
  /// @param sentence how accounts are named with which it was not done
  /// @param shown what is shown of a result
  record OnAccounts<R extends Record>(
      String name,
      String title,
      Head head,
      String label,
      Whose whose,
      BiFunction<AdminRun, Jid, Outcome<? extends R>> operation,
      Sentence sentence,
      BiFunction<Jid, R, @Nullable Element> shown)
      implements Row {}

  /// Which accounts may be chosen.
  enum Whose {
    ALL,
    /// All, or single sessions of theirs.
    SESSIONS,
    /// All except the administrator's own.
    OTHERS
  }

  /// How accounts are named with which something was not done.
  enum Sentence {
    LISTED,
    EACH
  }

  /// A number of accounts.
  record Count(String name, String title, AccountLists.State state, String field, String label)
      implements Row {}

  /// A list of accounts.
  record Accounts(
      String name, String title, String word, AccountLists.State state, String field, String label)
      implements Row {}

  /// A text that is sent or stored.
  ///
  /// @param present the operation that shows what is corrected; null if the form begins empty
  /// @param operation what is done with the text, by the domain of the host
  record Text(
      String name,
      String title,
      Head head,
      String field,
      String label,
      @Nullable Operation<NoticeOperations.Chosen, NoticeOperations.Shown> present,
      TextAction operation)
      implements Row {}

  /// What is done with a text.
  @FunctionalInterface
  interface TextAction {
    Outcome<?> run(AdminRun run, String text);
  }

  /// What is done at once, without a form.
  record Once(String name, String title, Function<AdminRun, Outcome<?>> operation) implements Row {}

  /// A list of addresses to edit.
  ///
  /// @param present what it is
  /// @param operation what makes it the list that was submitted
  record Addresses(
      String name,
      String title,
      Head head,
      String field,
      String label,
      Present present,
      BiFunction<AdminRun, Set<Jid>, Outcome<?>> operation)
      implements Row {}

  /// The addresses at present.
  @FunctionalInterface
  interface Present {
    Collection<Jid> of(AdminRun run) throws AdminForms.WrongValue;
  }

  /// A command with fields of its own.
  record Other(String name, String title, AdminRun.Action action) implements Row {}

  /// An access list.
  static Collection<Jid> list(AdminRun run, AccessOperations.Kind kind)
      throws AdminForms.WrongValue {
    AccessOperations.Lists lists =
        run.result(AccessOperations.SHOW, new AccessOperations.Chosen(run.domain()));
    return switch (kind) {
      case BLACKLIST -> lists.blacklist();
      case WHITELIST -> lists.whitelist();
    };
  }
}
