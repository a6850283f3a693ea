# plait validate and plait bench rods: tables, JSON, pictures, wrong words.
source "$PLAIT_SOURCE/test/cli/lib.bash"

expect 0 "$PLAIT" validate --list
for name in A1 A10 conservation order-dt der; do
    says out "$name"
done

expect 0 "$PLAIT" validate A2 order-n --model der
says out "tip drop / L, P L^2/EI = 10"
says out "order in N"
says err "21 of 21 within tolerance"

expect 0 "$PLAIT" validate A5 -m der --json --plot pictures
json out "len(d) == 9 and all(r['pass'] and abs(r['error']) <= r['tolerance'] for r in d)"
json out "set(d[0]) == {'case', 'model', 'quantity', 'resolution', 'reference', 'measured', 'error', 'tolerance', 'pass'}"
json out "d[0]['case'] == 'A5' and d[0]['model'] == 'der' and d[0]['resolution'] == 50"
says pictures/A5.svg "<svg"
says pictures/A5.svg "45-degree bend"

expect 0 "$PLAIT" validate order-n --markdown
says out "| order-n | der | order in N | 64 | 2 |"

expect 0 "$PLAIT" validate B3 B8 --json
json out "len(d) == 44 and all(r['pass'] for r in d)"
json out "{r['model'] for r in d} == {'one contact', 'rigid box', 'rigid ball', 'rigid capsule'}"
expect 0 "$PLAIT" validate B6 --plot pictures
says err "90 of 90 within tolerance"
says pictures/B6.svg "Painleve"
expect 0 "$PLAIT" validate --list
says out "friction"
expect 2 "$PLAIT" validate fricton
says err "did you mean 'friction'"

expect 2 "$PLAIT" validate A11
says err "there is no case or suite 'A11'"
expect 2 "$PLAIT" validate A1 --model dar
says err "did you mean 'der'"
expect 2 "$PLAIT" validate A1 --json --markdown
says err "exclude each other"
: >file
expect 2 "$PLAIT" validate order-n -m der --plot file/below
says err "file/below"

expect 0 "$PLAIT" bench rods --model der --seconds 0.02 --json
json out "len(d) == 8 and all(r['steps_per_second'] > 0 and r['failed'] == 0 for r in d)"
json out "[r['vertices'] for r in d if r['scheme'] == 'linear' and r['vertices'] != 30] == [10, 100, 1000, 10000]"
