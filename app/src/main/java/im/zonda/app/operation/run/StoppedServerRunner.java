package im.zonda.app.operation.run;

import im.zonda.app.control.ApiClient;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs operations in this process, on the stores of a server that does not run.
public final class StoppedServerRunner implements OperationRunner {
  private final Path folder;
  private final Operations operations;
  private final AutoCloseable stores;

  /// @param folder the data folder
  /// @param stores what is closed at the end
  public StoppedServerRunner(Path folder, Operations operations, AutoCloseable stores) {
    this.folder = folder;
    this.operations = operations;
    this.stores = stores;
  }

  @Override
  public Answer run(
      Operation<?, ?> operation,
      Map<String, @Nullable Object> given,
      Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    String name = operation.name();
    if (operations.catalogue().operations().stream().noneMatch(each -> each.name().equals(name))) {
      throw new IOException(ApiClient.noServer(folder));
    }
    Caller owner = Caller.owner(System.getProperty("user.name"));
    return answer(operation.result(), operations.run(owner, name, given), results);
  }

  private static Answer answer(
      Shape shape, Outcome<?> outcome, Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> new Answer.Done(shape.data(result));
      case Outcome.Partly<?>(Record result, var failures) ->
          new Answer.Partly(
              shape.data(result),
              failures.stream().map(each -> each.subject() + ": " + each.reason()).toList());
      case Outcome.Started<?>(String job) -> new Answer.Started(job);
      case Outcome.Following<?> following -> follow(shape, following, results);
      case Outcome.Refused<?>(Reason reason, String text, var _) ->
          new Answer.Refused(reason, text);
    };
  }

  private static <R extends Record> Answer follow(
      Shape shape, Outcome.Following<R> following, Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    try {
      following.feed().follow(result -> results.accept(shape.data(result)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Answer.Ended();
  }

  @Override
  public void close() throws IOException {
    try {
      stores.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
