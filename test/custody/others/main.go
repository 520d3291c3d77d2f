// Checks a platform's log with the packages of Go's own transparency log, golang.org/x/mod/sumdb: that its
// checkpoints are signed notes, that every entry is in the tree which the newest signs, that this has grown from
// the older one, and that a proof is one. TOKEN=… main URL OLDER-CHECKPOINT PROOF, where URL ends with /log/ID.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func get(path string) []byte {
	request := must(http.NewRequest("GET", os.Args[1]+"/"+path, nil))
	request.Header.Set("Authorization", "Platform "+os.Getenv("TOKEN"))
	answer := must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		log.Fatalf("%s: %s", path, answer.Status)
	}
	return must(io.ReadAll(answer.Body))
}

// The paths of tlog-tiles are those of Go without the height; entries are in bundles instead of records.
func path(tile tlog.Tile) string {
	if tile.L == -1 {
		return strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1)
	}
	return strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
}

type tiles struct{}

func (tiles) Height() int                     { return 8 }
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (tiles) ReadTiles(wanted []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range wanted {
		data = append(data, get(path(tile)))
	}
	return data, nil
}

func open(text []byte, verifier note.Verifier) tlog.Tree {
	opened := must(note.Open(text, note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		log.Fatal("the origin is not the name of the key")
	}
	return tlog.Tree{N: must(strconv.ParseInt(lines[1], 10, 64)), Hash: must(tlog.ParseHash(lines[2]))}
}

func entry(tree tlog.Tree, i int64) ([]byte, error) {
	tile := tlog.Tile{H: 8, L: -1, N: i / 256, W: 256}
	if rest := tree.N - tile.N*256; rest < 256 {
		tile.W = int(rest)
	}
	bundle := get(path(tile))
	for n := i % 256; len(bundle) > 2; n-- {
		length := int(binary.BigEndian.Uint16(bundle))
		if n == 0 {
			return bundle[2 : 2+length], nil
		}
		bundle = bundle[2+length:]
	}
	return nil, errors.New("a bundle ends early")
}

func main() {
	log.SetFlags(0)
	verifier := must(note.NewVerifier(strings.TrimSpace(string(get("key")))))
	tree := open(get("checkpoint"), verifier)
	hashes := tlog.TileHashReader(tree, tiles{})
	for i := int64(0); i < tree.N; i++ {
		hash := tlog.RecordHash(must(entry(tree, i)))
		if err := tlog.CheckRecord(must(tlog.ProveRecord(tree.N, i, hashes)), tree.N, tree.Hash, i, hash); err != nil {
			log.Fatalf("entry %d: %v", i, err)
		}
	}
	fmt.Printf("%d entries are in the tree\n", tree.N)

	older := open(must(os.ReadFile(os.Args[2])), verifier)
	if err := tlog.CheckTree(must(tlog.ProveTree(tree.N, older.N, hashes)), tree.N, tree.Hash, older.N, older.Hash); err != nil {
		log.Fatalf("it has not grown from the older checkpoint: %v", err)
	}
	fmt.Printf("it has grown from %d\n", older.N)

	_, proof, _ := strings.Cut(string(must(os.ReadFile(os.Args[3]))), "\nc2sp.org/tlog-proof@v1\nindex ")
	path, checkpoint, _ := strings.Cut(proof, "\n\n")
	lines := strings.Split(path, "\n")
	index := must(strconv.ParseInt(lines[0], 10, 64))
	var way tlog.RecordProof
	for _, line := range lines[1:] {
		must(base64.StdEncoding.DecodeString(line))
		way = append(way, must(tlog.ParseHash(line)))
	}
	signed := open([]byte(checkpoint), verifier)
	if err := tlog.CheckRecord(way, signed.N, signed.Hash, index, tlog.RecordHash(must(entry(tree, index)))); err != nil {
		log.Fatalf("the proof: %v", err)
	}
	fmt.Printf("the proof leads from entry %d to a checkpoint of %d\n", index, signed.N)
}
