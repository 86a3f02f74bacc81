package im.zonda.module.admin;

import im.zonda.jid.Jid;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.commands.CommandTable;
import im.zonda.module.forms.DataForm;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Adds commands of administrators to a table.
///
/// @param table the commands of the host
/// @param allowed who may run them, by their full addresses
record CommandGroup(CommandTable table, Predicate<Jid> allowed) {
  /// What a command does at once.
  @FunctionalInterface
  interface Action {
    void run(CommandStage stage) throws AdminForms.WrongValue;
  }

  /// What a command does with its form.
  @FunctionalInterface
  interface FormAction {
    void run(CommandStage stage, DataForm form) throws AdminForms.WrongValue;
  }

  /// The form that a command asks for.
  @FunctionalInterface
  interface Form {
    DataForm make();
  }

  /// The same for commands that are offered at times.
  CommandGroup when(BooleanSupplier offered) {
    return new CommandGroup(table, jid -> offered.getAsBoolean() && allowed.test(jid));
  }

  /// Adds a command of XEP-0133 without a form.
  ///
  /// @param name the name of the command in its node
  CommandGroup add(String name, String title, Action action) {
    return addOwn(AdminForms.node(name), title, action);
  }

  /// Adds a command that is in no XEP, which asks for its forms itself.
  CommandGroup addOwn(String node, String title, Action action) {
    table.add(
        new Command(
            node,
            title,
            allowed,
            stage -> {
              try {
                action.run(stage);
              } catch (AdminForms.WrongValue e) {
                stage.fail(String.valueOf(e.getMessage()));
              }
            }));
    return this;
  }

  /// Adds a command with a form.
  CommandGroup add(String name, String title, Form form, FormAction action) {
    return add(
        name,
        title,
        stage -> {
          DataForm submitted = stage.form();
          if (submitted == null) {
            stage.ask(form.make());
          } else {
            action.run(stage, submitted);
          }
        });
  }
}
