// The process that started Maven, where it can be asked about tests.
package tamis.maven;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks one question per connection. A process that was killed refuses it, one that was stopped keeps a
 * question waiting for five seconds: Maven always goes on.
 */
final class Host {
    static final int RUN = 0;
    static final int SKIP = 1;
    static final int HEARD = 2;

    private static final int SECONDS = 5;

    /** After so many questions in a row that waited in vain no more are asked. */
    private static final int N_PATIENT = 2;

    private final InetSocketAddress address;
    private final byte[] token;

    /** What a true answer begins with: by now the port may be that of somebody else. */
    private final byte[] countersign;

    private final AtomicInteger nInVain = new AtomicInteger();

    Host(int port, byte[] token, byte[] countersign) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        this.address = new InetSocketAddress(loopback, port);
        this.token = token;
        this.countersign = countersign;
    }

    /** The answer to a message, one of these. */
    int ask(Message message, Integer... understood) throws Exception {
        if (nInVain.get() >= N_PATIENT) {
            throw new IOException("it was silent before");
        }
        // Writing knows no time-out; so somebody else does, and the socket is closed when it takes too long.
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            FutureTask<Integer> answer = new FutureTask<>(() -> converse(socket, message.toBytes()));
            Thread thread = new Thread(answer, "tamis");
            thread.setDaemon(true);
            thread.start();
            int word = answer.get(SECONDS, TimeUnit.SECONDS);
            nInVain.set(0);
            if (!Arrays.asList(understood).contains(word)) {
                throw new IOException("its answer is not understood");
            }
            return word;
        } catch (TimeoutException silence) {
            nInVain.incrementAndGet();
            throw new IOException("it was silent for " + SECONDS + " seconds");
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof Exception ? (Exception) failure.getCause() : failure;
        }
    }

    private int converse(Socket socket, byte[] message) throws IOException {
        socket.connect(address);
        OutputStream out = socket.getOutputStream();
        out.write(token);
        out.write(Message.encoded(message.length));
        out.write(message);
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] sign = new byte[countersign.length];
        in.readFully(sign);
        if (!Arrays.equals(sign, countersign)) {
            throw new IOException("somebody else answered");
        }
        return in.readUnsignedByte();
    }
}
