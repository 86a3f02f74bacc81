package im.zonda.module.export;

import im.zonda.account.AccountRegistration;
import im.zonda.directory.AccountExport.Sink;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.export.ExportOperations.Part;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.store.AccountAddresses;
import im.zonda.store.RoomStore;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes accounts and hosts for administrators.
final class ExportActions {
  private static final String PIE = "urn:xmpp:pie:0";
  private static final String INCLUDE = "http://www.w3.org/2001/XInclude";
  private static final int PAGE = 100;

  private final ModuleContext context;
  private final Documents documents;
  private final RoomArchives rooms;
  private final ExportFolder folder;

  /// Writes the documents of accounts.
  interface Documents {
    /// Writes the document of an account.
    void account(Jid account, Sink sink) throws IOException;

    /// Writes the part of it that is about the account alone, as a document.
    void user(Jid account, Sink sink) throws IOException;
  }

  ExportActions(ModuleContext context, Documents documents, RoomArchives rooms) {
    this.context = context;
    this.documents = documents;
    this.rooms = rooms;
    this.folder = new ExportFolder(context.config().data().resolve("exports"));
  }

  List<Offer<?, ?>> offers() {
    return List.of(
        ExportOperations.EXPORT.by((call, chosen) -> export(call, chosen.account().bare())),
        ExportOperations.DOWNLOAD.by((_, chosen) -> download(chosen.account().bare())),
        ExportOperations.EXPORT_HOST.by((call, _) -> exportHost(call)));
  }

  private boolean exists(Jid account) {
    return account.domainJid().equals(context.domain())
        && context.port(AccountRegistration.class).created(account) != null;
  }

  private static <R extends Record> Outcome<R> unknown(Jid account) {
    return Outcome.notFound("There is no account " + account + ".");
  }

  private Outcome<Nothing> export(Call call, Jid account) {
    return exists(account)
        ? call.start("Write the data of " + account, _ -> "Written to " + write(account) + ".")
        : unknown(account);
  }

  /// Writes the document of an account to a file.
  Path write(Jid account) throws IOException, InterruptedException {
    String name = ExportFolder.named(account, context.clock().instant()) + ".xml";
    return folder.write(name, sink -> documents.account(account, sink));
  }

  private Outcome<Part> download(Jid account) {
    return exists(account)
        ? new Outcome.Following<>(sink ->
            documents.account(
                account,
                // A part ends with an element, so never within a character.
                (source, offset, length) ->
                    sink.accept(
                        new Part(new String(source, offset, length, StandardCharsets.UTF_8)))))
        : unknown(account);
  }

  // ---- a host

  private Outcome<Nothing> exportHost(Call call) {
    return call.start("Write the accounts and rooms of " + context.domain(), this::exportHost);
  }

  private String exportHost(Call.Progress progress) throws IOException, InterruptedException {
    String host = context.domain().domain();
    ExportFolder into = folder.in(ExportFolder.named(context.domain(), context.clock().instant()));
    List<String> written = new ArrayList<>();
    long accounts = writeAccounts(into.in(host), written, progress);
    long roomsWritten = writeRooms(into.in(host).in("rooms"), written, accounts, progress);
    Path file =
        into.write(
            host + ".xml",
            sink -> {
              DocumentWriter out = new DocumentWriter(sink);
              out.begin("server-data", PIE);
              out.begin("host", PIE, "jid", host);
              for (String each : written) {
                out.write(
                    Element.builder(INCLUDE, "include")
                        .attribute("href", host + "/" + each)
                        .build());
              }
              out.end();
              out.end();
              out.flush();
            });
    return "Written " + accounts + " accounts and " + roomsWritten + " rooms to " + file + ".";
  }

  private long writeAccounts(ExportFolder into, List<String> written, Call.Progress progress)
      throws IOException, InterruptedException {
    AccountAddresses addresses = context.port(AccountAddresses.class);
    long count = 0;
    @Nullable Jid last = null;
    List<Jid> page;
    do {
      page = addresses.list(context.domain().domain(), last, PAGE);
      for (Jid each : page) {
        last = each;
        String name = ExportFolder.file(String.valueOf(each.local())) + ".xml";
        Path _ = into.write(name, sink -> documents.user(each, sink));
        written.add(name);
        progress.at(++count, 0, "accounts and rooms");
      }
    } while (page.size() == PAGE);
    return count;
  }

  private long writeRooms(
      ExportFolder into, List<String> written, long before, Call.Progress progress)
      throws IOException, InterruptedException {
    Jid service = rooms.service();
    if (service == null) {
      return 0;
    }
    RoomStore store = context.port(RoomStore.class);
    long count = 0;
    String last = null;
    List<Jid> page = store.list(service.domain(), null, PAGE);
    while (!page.isEmpty()) {
      for (Jid each : page) {
        last = each.local();
        RoomStore.Stored stored = store.find(each);
        if (stored == null) {
          continue; // destroyed meanwhile
        }
        String name = ExportFolder.file(String.valueOf(last)) + ".xml";
        RoomDocument document = new RoomDocument(context, stored, rooms);
        Path _ = into.write(name, sink -> document.write(new DocumentWriter(sink)));
        written.add("rooms/" + name);
        progress.at(before + ++count, 0, "accounts and rooms");
      }
      page = page.size() < PAGE ? List.of() : store.list(service.domain(), last, PAGE);
    }
    return count;
  }
}
