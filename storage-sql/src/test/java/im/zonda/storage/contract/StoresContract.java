package im.zonda.storage.contract;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.Account;
import im.zonda.store.MessageLog;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Base of the contract tests of the stores.
public abstract class StoresContract {
  static final Jid ROMEO = Jid.of("romeo@example.net");
  static final Jid JULIET = Jid.of("juliet@example.net");
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  /// Texts that break careless code.
  static final List<String> HOSTILE =
      List.of(
          "'; drop table account; --",
          "\" or \"\"=\"",
          "%_[]*?\\",
          ":named ?1 @x $y #z <q>",
          "{call x} ${y}",
          "a\nb\r\nc\td",
          "\\n",
          "\\",
          "",
          " ",
          "null",
          "\u0001\u001f",
          "ünïcödé 漢字 \u05d0\u202e",
          "\ud83d\ude80\ud83d\udc68\u200d\ud83d\udc69",
          "e\u0301 vs \u00e9",
          "x".repeat(10_000));

  @TempDir Path folder;
  final TestClock clock = new TestClock(NOON);
  Limits limits = Limits.defaults();
  Storage settings = new Storage(true, true, 0, 512);
  Stores stores;

  protected abstract StoresFactory factory();

  @BeforeEach
  void open() {
    stores = factory().open(folder, settings, limits, clock);
  }

  @AfterEach
  void close() {
    stores.close();
  }

  void reopen() {
    stores.close();
    open();
  }

  /// Makes accounts, also again at once after they were removed.
  void makeAccounts(Jid... jids) {
    for (Jid jid : jids) {
      stores.accounts().release(jid);
    }
    stores.accounts().create(List.of(jids).stream().map(jid -> account(jid)).toList());
  }

  public static Account account(Jid jid) {
    return new Account(jid, List.of(keys("SHA-256", 1), keys("SHA-512", 2)), NOON);
  }

  static ScramKeys keys(String hash, int seed) {
    byte[] bytes = {(byte) seed, 0, -1, 127};
    return new ScramKeys(
        hash, bytes, 4_096 + seed, ("stored" + seed).getBytes(StandardCharsets.UTF_8), bytes);
  }

  public static Message message(Jid from, Jid to, String body) {
    return Message.of(
        Message.Type.CHAT,
        from,
        to,
        "id1",
        List.of(Element.builder(Namespaces.CLIENT, "body").text(body).build()));
  }

  MessageLog.Entry entry(Jid owner, Jid with, String body) {
    return entry(stores, owner, with, body);
  }

  private static MessageLog.Entry entry(Stores stores, Jid owner, Jid with, String body) {
    return new MessageLog.Entry(
        owner, stores.messages().nextId(), with, message(with, owner, body));
  }

  /// Appends a message that waits for its owner and stays in the archive.
  public static MessageLog.Receipt append(Stores stores, Jid owner, Jid with, String body) {
    return stores
        .messages()
        .append(entry(stores, owner, with, body), MessageLog.Keep.ARCHIVE, true);
  }

  MessageLog.Receipt store(MessageLog.Entry entry, MessageLog.Keep keep) {
    return stores.messages().append(entry, keep, true);
  }

  List<String> waiting(Jid owner) {
    return stores.messages().waiting(owner, 0, 1_000).stream().map(StoresContract::body).toList();
  }

  public static String body(MessageLog.Entry entry) {
    Element body = entry.message().payload(new QName(Namespaces.CLIENT, "body"));
    return body == null ? "" : body.text();
  }

  /// A clock that does not advance until it is set.
  static final class TestClock implements InstantSource {
    private volatile Instant now;

    TestClock(Instant now) {
      this.now = now;
    }

    void set(Instant instant) {
      now = instant;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /// Runs a call many times at once, with the numbers from 0 on. Fails if one of them fails.
  static void atOnce(int calls, IntConsumer call) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        int number = i;
        running.add(threads.submit(() -> call.accept(number)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
