package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.admin.operation.AccountOperations.Chosen;
import im.zonda.module.admin.operation.FileOperations;
import im.zonda.module.admin.operation.FileOperations.File;
import im.zonda.module.admin.operation.FileOperations.Used;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.operation.Outcome;
import im.zonda.xml.Element;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows that list and delete what an account has uploaded (XEP-0363), with choices in their forms.
/// They are in no XEP, so they have nodes and a form type of their own.
final class FileRows {
  private static final String NAMESPACE = "urn:zonda:files:0";

  /// The most files of a list, the oldest first.
  private static final int MOST_LISTED = 200;

  private FileRows() {}

  static List<Row> rows() {
    return List.of(
        new Row.Other(NAMESPACE + "#list", "List User's Files", FileRows::list),
        new Row.Other(NAMESPACE + "#delete", "Delete User's Files", FileRows::delete));
  }

  private static DataForm accountForm(String title, String instructions) {
    return DataForm.builder("form", NAMESPACE)
        .title(title)
        .instructions(instructions)
        .required("accountjid", "jid-single", "The Jabber ID of the account", List.of())
        .build();
  }

  /// The account of the first form.
  private static Jid account(AdminRun run) throws AdminForms.WrongValue {
    return AdminForms.account(run.stage().forms().getFirst(), "accountjid", run.host());
  }

  /// The files of an account; null if there is no such account, and the command has ended.
  private static @Nullable List<File> files(AdminRun run, Jid account) {
    Outcome<FileOperations.Found> outcome =
        run.run(FileOperations.LIST, new FileOperations.Wanted(account, null, MOST_LISTED));
    if (outcome instanceof Outcome.Done<FileOperations.Found>(FileOperations.Found found)) {
      return found.files();
    }
    if (RowCommands.isMissing(outcome)) {
      run.stage().fail("No such account: " + account);
    } else {
      RowCommands.conclude(run, outcome);
    }
    return null;
  }

  private static String sum(Used usage) {
    return usage.files() + (usage.files() == 1 ? " file, " : " files, ") + usage.bytes() + " bytes";
  }

  // ---- list

  private static void list(AdminRun run) throws AdminForms.WrongValue {
    CommandStage stage = run.stage();
    if (stage.forms().isEmpty()) {
      stage.ask(
          accountForm("Listing a User's Files", "Fill out this form to list a user's files."));
      return;
    }
    Jid account = account(run);
    List<File> files = files(run, account);
    if (files == null) {
      return;
    }
    Used usage = run.result(FileOperations.USAGE, new Chosen(account));
    String shown =
        usage.files() > files.size() ? "; these are the oldest " + files.size() + " of them" : "";
    stage.complete(files.isEmpty() ? List.of() : List.of(table(files)), sum(usage) + shown);
  }

  private static Element table(List<File> files) {
    return DataForm.builder("result", NAMESPACE)
        .text("file", "Identifier", null)
        .text("name", "Name", null)
        .text("type", "Media type", null)
        .text("bytes", "Size in bytes", null)
        .text("uploaded", "Time of upload", null)
        .build()
        .toTable(
            files.stream()
                .map(each ->
                    Map.of(
                        "file", each.file(),
                        "name", each.name(),
                        "type", each.type(),
                        "bytes", Long.toString(each.bytes()),
                        "uploaded", each.uploaded().toString()))
                .toList());
  }

  // ---- delete

  private static void delete(AdminRun run) throws AdminForms.WrongValue {
    CommandStage stage = run.stage();
    if (stage.forms().isEmpty()) {
      stage.askNext(
          accountForm("Deleting a User's Files", "Choose the user; the files are chosen next."));
      return;
    }
    Jid account = account(run);
    if (stage.forms().size() == 1) {
      List<File> files = files(run, account);
      if (files != null && files.isEmpty()) {
        stage.complete(List.of(), account + " has no files.");
      } else if (files != null) {
        stage.ask(choice(account, files));
      }
      return;
    }
    Outcome<FileOperations.Removed> outcome =
        run.run(FileOperations.REMOVE, removal(account, stage.forms().getLast()));
    if (outcome instanceof Outcome.Done<FileOperations.Removed>(var removed)) {
      long files = removed.files();
      stage.complete(List.of(), files + (files == 1 ? " file" : " files") + " deleted.");
    } else {
      RowCommands.conclude(run, outcome);
    }
  }

  private static DataForm choice(Jid account, List<File> files) {
    Map<String, String> options = new LinkedHashMap<>();
    for (File each : files) {
      options.put(
          each.file(), each.name() + " (" + each.bytes() + " bytes, " + each.uploaded() + ")");
    }
    return DataForm.builder("form", NAMESPACE)
        .title("Deleting a User's Files")
        .instructions("Choose the files of " + account + " to delete. The oldest come first.")
        .listMulti("files", "The files to delete", List.of(), options)
        .bool("all", "Delete all files of the user", false)
        .build();
  }

  private static FileOperations.Removal removal(Jid account, DataForm form)
      throws AdminForms.WrongValue {
    DataForm.Field all = form.field("all");
    if (all != null && Boolean.TRUE.equals(all.bool())) {
      return new FileOperations.Removal(account, List.of(), true);
    }
    DataForm.Field field = form.field("files");
    List<String> chosen = field == null ? List.of() : field.values();
    if (chosen.isEmpty()) {
      throw new AdminForms.WrongValue("Choose the files to delete, or all of them.");
    }
    return new FileOperations.Removal(account, chosen, false);
  }
}
